// Properties of a call's result that follow from literal arguments.

/// Returns whether every path of `json_set` or `json_replace` is within the document, so that the
/// result is a document. Replacing `$` yields the new value itself.
func replacesWithinDocument(_ arguments: [TypedExpression]) -> Bool {
  for index in arguments.indices where index % 2 == 1 {
    guard let path = arguments[index].literalText, path.utf8.count > 1 else { return false }
  }
  return true
}

extension TypedExpression {
  /// The value of a text literal; `nil` for any other expression.
  var literalText: String? {
    if case .literal(.text(let text)) = kind { text } else { nil }
  }
}
