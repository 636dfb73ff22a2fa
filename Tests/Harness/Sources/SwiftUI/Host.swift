internal import Observation

/// Renders a view without a screen. Like SwiftUI, it stores state, passes on the environment,
/// updates dynamic properties, and evaluates the body again when a value that it has read changes.
@MainActor public final class Host<Content: View> {
  private let content: () -> Content
  private var states: [String: AnyObject] = [:]
  private var appearing: [() -> Void] = []
  private var disappearing: [() -> Void] = []
  private var buttons: [String: () -> Void] = [:]
  private var continuations: [CheckedContinuation<Void, Never>] = []
  /// The number of evaluations of the views' bodies.
  public private(set) var renderings = 0
  /// A Boolean value that indicates whether a value that was read has changed.
  public private(set) var isInvalid = true

  public init(_ content: @escaping @MainActor () -> Content) { self.content = content }

  /// Renders the view and returns the displayed strings.
  public func render() -> [String] {
    isInvalid = false
    renderings += 1
    (appearing, disappearing) = ([], [])
    return withObservationTracking {
      texts(of: content(), in: EnvironmentValues(), at: "")
    } onChange: { [weak self] in
      Task { @MainActor in self?.invalidate() }
    }
  }

  /// Waits until a value that was read changes.
  public func change() async {
    if isInvalid { return }
    await withCheckedContinuation { continuations.append($0) }
  }

  /// Calls the views' `onAppear` or `onDisappear` actions.
  public func appear() { for action in appearing { action() } }

  public func disappear() { for action in disappearing { action() } }

  /// Calls the action of the button with this title.
  public func press(_ title: String) { buttons[title]?() }

  private func invalidate() {
    isInvalid = true
    for continuation in continuations { continuation.resume() }
    continuations = []
  }

  private func texts(
    of view: some View, in environment: EnvironmentValues, at path: String
  ) -> [String] {
    if let text = view as? Text { return [text.text] }
    if let modified = view as? any Modified {
      let (content, environment) = modified.open(environment)
      if let action = modified.onAppear { appearing.append(action) }
      if let action = modified.onDisappear { disappearing.append(action) }
      return texts(of: content, in: environment, at: path + "/modified")
    }
    if let button = view as? Button {
      buttons[button.title] = button.action
      return [button.title]
    }
    if let container = view as? any Containing {
      return container.children.enumerated().flatMap { index, child in
        texts(of: child, in: environment, at: "\(path)[\(index)]")
      }
    }
    let path = "\(path)/\(type(of: view))"
    install(in: view, environment, at: path)
    return texts(of: view.body, in: environment, at: path)
  }

  /// Prepares the dynamic properties of a value, nested properties first.
  private func install(in value: Any, _ environment: EnvironmentValues, at path: String) {
    for child in Mirror(reflecting: value).children {
      guard var property = child.value as? any DynamicProperty else { continue }
      let path = "\(path).\(child.label ?? "")"
      if let property = property as? any Installable {
        property.install(environment, &states, at: path) { [weak self] in self?.invalidate() }
      } else {
        install(in: property, environment, at: path)
        property.update()
      }
    }
  }
}

/// A property that the host installs.
@MainActor protocol Installable {
  func install(
    _ values: EnvironmentValues, _ states: inout [String: AnyObject], at path: String,
    onChange: @escaping @MainActor () -> Void)
}

/// A view that contains other views.
@MainActor protocol Containing {
  var children: [any View] { get }
}

@MainActor private protocol Modified {
  var onAppear: (() -> Void)? { get }
  var onDisappear: (() -> Void)? { get }
  func open(_ values: EnvironmentValues) -> (any View, EnvironmentValues)
}

extension ModifiedView: Modified {
  fileprivate func open(_ values: EnvironmentValues) -> (any View, EnvironmentValues) {
    var values = values
    environment(&values)
    return (content, values)
  }
}
