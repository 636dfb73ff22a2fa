internal import SQLiteCore

/// The order in which the objects of a graph are written: those that a row refers to before the row.
struct RowsToWrite {
  struct Patch {
    let object: Int
    let column: Int
    let child: Int
  }

  let graph: ObjectGraph
  private(set) var keys: [Record.Key?]
  /// The references that were written as NULL, since they lead back to a row that was not there yet.
  private(set) var patches: [Patch] = []

  init(_ graph: ObjectGraph) {
    self.graph = graph
    keys = Array(repeating: nil, count: graph.objects.count)
  }

  mutating func writeAll(_ insert: (TablePlan, [SQLiteValue]) throws -> Record.Key) throws {
    var isBegun = graph.written.enumerated().map { number, written in number != written }
    // Not by recursion: a chain of references may be longer than the stack.
    var path: [(object: Int, next: Int)] = []
    for first in graph.objects.indices where !isBegun[first] {
      isBegun[first] = true
      path.append((first, 0))
      while let (object, next) = path.last {
        let references = graph.objects[object].references
        if next < references.count {
          path[path.count - 1].next += 1
          let child = graph.written[references[next].object]
          if !isBegun[child] {
            isBegun[child] = true
            path.append((child, 0))
          }
        } else {
          path.removeLast()
          keys[object] = try insert(graph.objects[object].plan, values(of: object))
        }
      }
    }
    for (number, written) in graph.written.enumerated() { keys[number] = keys[written] }
  }

  private mutating func values(of object: Int) -> [SQLiteValue] {
    var values = graph.objects[object].values
    for reference in graph.objects[object].references {
      let child = graph.written[reference.object]
      if let key = keys[child] {
        values[reference.column] = key.first
      } else {
        patches.append(Patch(object: object, column: reference.column, child: child))
      }
    }
    return values
  }
}
