extension SPONValue {
  /// All values that hold no others, in order, each with the path to it: scalars, and objects and arrays
  /// that are empty.
  ///
  /// ```swift
  /// let value: SPONValue = ["name": "Ada", "tags": ["a", "b"]]
  /// for (path, leaf) in value.leaves { print(path, leaf) }  // name `Ada`, tags[0] `a`, tags[1] `b`
  /// ```
  public var leaves: Leaves { Leaves(root: self) }
}

extension SPONValue {
  /// The values of a tree that hold no others, with their paths.
  public struct Leaves: Sequence, Sendable {
    let root: SPONValue

    public func makeIterator() -> Iterator { Iterator(root: root) }

    /// Goes through a tree without recursion.
    public struct Iterator: IteratorProtocol {
      /// A container, and how many of its values were visited.
      private struct Frame {
        let values: [SPONValue]
        let keys: [String]?
        var next = 0
      }

      private var root: SPONValue?
      private var frames: [Frame] = []
      private var path = SPONPath()

      init(root: SPONValue) { self.root = root }

      public mutating func next() -> (path: SPONPath, value: SPONValue)? {
        if let root {
          self.root = nil
          if !enter(root) { return (path, root) }
        }
        while let depth = frames.indices.last {
          let place = frames[depth].next
          guard place < frames[depth].values.count else {
            frames.removeLast()
            if !path.isEmpty { path.steps.removeLast() }
            continue
          }
          frames[depth].next += 1
          let value = frames[depth].values[place]
          path.steps.append(frames[depth].keys.map { .key($0[place]) } ?? .index(place))
          if !enter(value) {
            defer { path.steps.removeLast() }
            return (path, value)
          }
        }
        return nil
      }

      /// Whether a value holds others, which are then visited next.
      private mutating func enter(_ value: SPONValue) -> Bool {
        switch value {
        case .array(let elements) where !elements.isEmpty:
          frames.append(Frame(values: elements, keys: nil))
        case .object(let object) where !object.isEmpty:
          frames.append(Frame(values: object.values, keys: object.keys))
        default: return false
        }
        return true
      }
    }
  }
}
