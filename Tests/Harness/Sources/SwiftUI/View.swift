/// A part of the user interface.
@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("a view of this kind has no body") }
}

/// A container for an app's views.
@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  var body: Body { get }
}

extension Never: Scene {}

@MainActor @resultBuilder public enum ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<repeat each Content> {
    TupleView(repeat each content)
  }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
}

/// A line of text.
public struct Text: View {
  let text: String

  public nonisolated init(_ text: String) { self.text = text }

  public var body: Never { fatalError("a text has no body") }
}

/// A view with a modified environment.
struct ModifiedView<Content: View>: View {
  let content: Content
  var environment: (inout EnvironmentValues) -> Void = { _ in }
  var onAppear: (() -> Void)?
  var onDisappear: (() -> Void)?

  var body: Never { fatalError("a modified view has no body") }
}

extension View {
  public func environment<Value>(
    _ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View {
    ModifiedView(content: self, environment: { $0[keyPath: path] = value })
  }

  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    ModifiedView(content: self, onAppear: action)
  }

  public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    ModifiedView(content: self, onDisappear: action)
  }
}

/// A window with its views.
public struct WindowGroup<Content: View>: Scene {
  let content: Content

  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  public var body: Never { fatalError("a group of windows has no body") }
}

struct ModifiedScene<Content: Scene>: Scene {
  let content: Content
  let environment: (inout EnvironmentValues) -> Void

  var body: Never { fatalError("a modified scene has no body") }
}

extension Scene {
  public func environment<Value>(
    _ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some Scene {
    ModifiedScene(content: self) { $0[keyPath: path] = value }
  }
}
