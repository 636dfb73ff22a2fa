internal import Primitives

/// Replaces the changed values in a JSON text, and keeps everything else: white space, the order of
/// members, and the notation of numbers and strings.
struct JSONTextUpdate {
  private let formatting: JSONProvider.Formatting
  private var comparison = JSONTextComparison()

  init(_ formatting: JSONProvider.Formatting) { self.formatting = formatting }

  /// Returns the old text with the values of the new text.
  ///
  /// The result has the same values as the new text. If `null` is kept, `null` and a missing member
  /// are not distinguished: see ``JSONTextTree/isNull(_:)``.
  ///
  /// - Parameters:
  ///   - old: A value in the file.
  ///   - new: The value to write, in any formatting.
  ///   - depth: The number of containers around the value.
  ///   - keepsNull: Whether to keep `null` where the new value has no member.
  /// - Throws: ``ProviderError`` if a text is not JSON.
  mutating func updated(
    _ old: [UInt8], with new: [UInt8], depth: Int, keepsNull: Bool = true
  ) throws -> [UInt8] {
    if try old == new || comparison.areParallel(old, new) { return old }
    var merge = Merge(
      old: try JSONTextTree(old, ignoresNull: keepsNull),
      new: try JSONTextTree(new, ignoresNull: keepsNull), formatting: formatting)
    try merge.value(merge.old.root, merge.new.root, depth)
    return merge.output
  }

  /// Returns a new value with the file's formatting.
  func formatted(_ text: Span<UInt8>, depth: Int) throws -> [UInt8] {
    var writer = JSONProvider.EventWriter(collecting: formatting, depth: depth)
    try writer.json(text)
    return writer.take()
  }

  /// Returns the white space before a new element of a container without elements at a depth.
  func space(depth: Int) -> [UInt8] {
    guard depth < formatting.multilineDepth else { return [] }
    return formatting.lineBreak
      + Array(repeating: formatting.indentation, count: depth + 1).joined()
  }

  /// Returns the white space before the closing bracket of such a container.
  func closingSpace(depth: Int) -> [UInt8] {
    depth < formatting.multilineDepth
      ? formatting.lineBreak + Array(repeating: formatting.indentation, count: depth).joined() : []
  }
}

/// The state of one update.
private struct Merge {
  let old: JSONTextTree
  let new: JSONTextTree
  let formatting: JSONProvider.Formatting
  var output: [UInt8] = []

  /// A member or an element of a container, which can be old, new, or both: the position in the
  /// old container, and the new value.
  typealias Item = (old: Int?, new: Int?)

  mutating func value(_ a: Int, _ b: Int, _ depth: Int) throws {
    if old.isEqual(a, to: new, b) {
      output += old.text(of: a)
      return
    }
    switch (old[a].event, new[b].event) {
    case (.beginObject, .beginObject) where !old.hasDuplicateKeys(a) && !new.hasDuplicateKeys(b):
      try container(a, members(a, b), depth)
    case (.beginArray, .beginArray): try container(a, elements(a, b), depth)
    default: try newValue(b, depth, isCompact: isCompact(a))
    }
  }

  /// Pairs the members by key. A removed member is omitted, and a new one added at the end.
  private func members(_ a: Int, _ b: Int) -> [Item] {
    var rest = new.members(of: b)
    var items: [Item] = []
    for (index, child) in old[a].children.enumerated() {
      let match = rest.removeValue(forKey: ExactText(old.key(of: child)))
      if match != nil || old.isNull(child) { items.append((index, match)) }
    }
    let added = Set(rest.values)
    for child in new[b].children where added.contains(child) && !new.isNull(child) {
      items.append((nil, child))
    }
    return items
  }

  /// Pairs the elements between the first and the last difference by position.
  private func elements(_ a: Int, _ b: Int) -> [Item] {
    let (before, after) = (old[a].children, new[b].children)
    let count = Swift.min(before.count, after.count)
    var first = 0
    while first < count, old.isEqual(before[first], to: new, after[first]) { first += 1 }
    var last = 0
    while last < count - first,
      old.isEqual(
        before[before.count - 1 - last], to: new, after[after.count - 1 - last])
    {
      last += 1
    }
    let (oldEnd, newEnd) = (before.count - last, after.count - last)
    var items: [Item] = (0..<newEnd).map { ($0 < oldEnd ? $0 : nil, after[$0]) }
    for index in 0..<last { items.append((oldEnd + index, after[newEnd + index])) }
    return items
  }

  // MARK: Output

  /// Writes a container with the old brackets and the old white space around each item.
  private mutating func container(_ a: Int, _ items: [Item], _ depth: Int) throws {
    let node = old[a]
    let spaces = Spaces(old, a)
    let update = JSONTextUpdate(formatting)
    output.append(old.bytes[node.start])
    for (index, item) in items.enumerated() {
      if index > 0 { output.append(0x2C) }
      if node.children.isEmpty {
        output += update.space(depth: depth)
      } else if index == 0 {
        output += spaces.before(0)
      } else if let old = item.old, old > 0 {
        output += spaces.before(old)
      } else {
        output += spaces.beforeAdded(formatting)
      }
      if let position = item.old {
        let child = node.children[position]
        output += old.bytes[old[child].first..<old[child].start]
        if let match = item.new {
          try value(child, match, depth + 1)
        } else {
          output += old.text(of: child)
        }
        if position < node.children.count - 1 { output += spaces.after(position) }
      } else if let child = item.new {
        try added(child, a, depth + 1)
      }
    }
    if node.children.isEmpty {
      output += items.isEmpty ? spaces.closing : update.closingSpace(depth: depth)[...]
    } else if !items.isEmpty {
      output += spaces.closing
    }
    output.append(old.bytes[node.end - 1])
  }

  private mutating func added(_ child: Int, _ parent: Int, _ depth: Int) throws {
    if new[child].key >= 0 {
      JSONText.append(quoted: Array(new.key(of: child).utf8).elementSpan, to: &output)
      output.append(0x3A)
      if formatting.hasSpaceAfterColon { output.append(0x20) }
    }
    try newValue(child, depth, isCompact: isCompact(parent))
  }

  /// Returns whether a value is on one line.
  private func isCompact(_ node: Int) -> Bool {
    !old[node].children.isEmpty && !old.text(of: node).contains(0x0A)
  }

  private mutating func newValue(_ node: Int, _ depth: Int, isCompact: Bool) throws {
    guard new[node].isContainer else {
      output += new.text(of: node)
      return
    }
    var formatting = formatting
    if isCompact { formatting.multilineDepth = 0 }
    output += try JSONTextUpdate(formatting).formatted(
      Array(new.text(of: node)).elementSpan, depth: depth)
  }
}

/// The white space in a container's text.
private struct Spaces {
  private let tree: JSONTextTree
  private let node: JSONTextTree.Node

  init(_ tree: JSONTextTree, _ node: Int) {
    self.tree = tree
    self.node = tree[node]
  }

  /// The white space before an item.
  func before(_ index: Int) -> ArraySlice<UInt8> {
    let first = tree[node.children[index]].first
    let start = index == 0 ? node.start + 1 : comma(after: index - 1) + 1
    return tree.bytes[start..<first]
  }

  /// The white space after an item, before the comma.
  func after(_ index: Int) -> ArraySlice<UInt8> {
    tree.bytes[tree[node.children[index]].end..<comma(after: index)]
  }

  /// The white space before the closing bracket.
  var closing: ArraySlice<UInt8> {
    let start = node.children.last.map { tree[$0].end } ?? node.start + 1
    return tree.bytes[start..<node.end - 1]
  }

  /// The white space before an item that is added after others.
  func beforeAdded(_ formatting: JSONProvider.Formatting) -> ArraySlice<UInt8> {
    if node.children.count > 1 { return before(1) }
    let first = before(0)
    return first.contains(0x0A) ? first : formatting.hasSpaceAfterComma ? [0x20] : []
  }

  private func comma(after index: Int) -> Int {
    var at = tree[node.children[index]].end
    while tree.bytes[at] != 0x2C { at += 1 }
    return at
  }
}
