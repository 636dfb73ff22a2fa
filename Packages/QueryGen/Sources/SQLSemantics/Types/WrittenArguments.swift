// What can be told of a result when an argument is written out.

/// Whether every path of `json_set` or `json_replace` leads into the document, so that the result is
/// a document still: to replace `$` gives the new value itself.
func replacesWithinDocument(_ arguments: [TypedExpression]) -> Bool {
  for index in arguments.indices where index % 2 == 1 {
    guard let path = arguments[index].literalText, path.utf8.count > 1 else { return false }
  }
  return true
}

extension TypedExpression {
  /// The text that the expression is, written out.
  var literalText: String? {
    if case .literal(.text(let text)) = kind { text } else { nil }
  }
}
