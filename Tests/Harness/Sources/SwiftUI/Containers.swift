/// A group of views.
public struct TupleView<each Content: View>: View, Containing {
  let children: [any View]

  init(_ content: repeat each Content) {
    var children: [any View] = []
    repeat children.append(each content)
    self.children = children
  }

  public var body: Never { fatalError("several views have no body") }
}

/// A view for each element.
public struct List<Row: View>: View, Containing {
  let children: [any View]

  public init<Data: RandomAccessCollection>(
    _ data: Data, @ViewBuilder rowContent: (Data.Element) -> Row
  ) where Data.Element: Identifiable {
    children = data.map(rowContent)
  }

  public var body: Never { fatalError("a list has no body") }
}

/// A table with rows of values in columns.
public struct Table<Value: Identifiable>: View, Containing {
  let children: [any View]

  public init(_ data: [Value], columns: [TableColumn<Value>]) {
    children = data.flatMap { value in columns.map { Text($0.text(value)) } }
  }

  public var body: Never { fatalError("a table has no body") }
}

/// A column of a ``Table``.
public struct TableColumn<Value> {
  let text: (Value) -> String

  public init(_ title: String, value: @escaping (Value) -> String) { text = value }
}

/// A horizontal group of views.
public struct HStack<Content: View>: View, Containing {
  let children: [any View]

  public init(@ViewBuilder content: () -> Content) { children = [content()] }

  public var body: Never { fatalError("a stack has no body") }
}

/// A button with a title.
public struct Button: View {
  let title: String
  let action: () -> Void

  public init(_ title: String, action: @escaping @MainActor () -> Void) {
    self.title = title
    self.action = { MainActor.assumeIsolated { action() } }
  }

  public var body: Never { fatalError("a button has no body") }
}

/// An app.
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  var body: Body { get }
  init()
}
