public import HoltMacros

// One enum of each kind, in each position where enums can be declared. Names that could break the generated
// code are used in the tests.

@CasePathable
enum Payloads {
  case nothing
  case unlabelled(Int)
  case labelled(id: Int)
  case underscored(_ id: Int)
  case optional(Int?)
  case several(id: Int, String, in: [Int])
  case defaults(limit: Int = 3, offset: Int? = nil)
  case list([Int])
  case pair((Int, Int))
  case void(())
  case closure(@Sendable (Int) -> Int)
  case closures(first: @Sendable (Int) -> Int, second: (@Sendable () -> Void)?)
  case existential(any Error)
  case first, second(Int)
  case never(Never)
  case neverAmong(Int, Never)
}

@CasePathable
enum Names {
  case `default`
  case `Type`(Int)
  case `self`(Int)
  case `init`(Int)
  case `Protocol`(Int)
  case `a "raw" name`(Int)
  case name(Int)
  case value(Int)
  case value0(Int, Int)
  case root
  case embed(Int)
  case currentCase(Int)
  case Names(Int)
  case HoltMacros(Int)
  case none
  case make

  static func make(_ id: Int) -> Self { .value(id) }
}

/// The enum has the module's name, as can happen in an app.
@CasePathable
enum Router {
  case casePath(CasePath)

  struct CasePath: Equatable, Sendable {
    var id: Int
  }
}

@CasePathable
indirect enum Tree {
  case leaf(Int)
  case branch(Self, Self)
  case forest([Tree])
}

@CasePathable
enum Loading<Value: Sendable> {
  case waiting
  case done(Value)
  case retry(of: [Self])
}

public enum Shop {
  public struct Item: Equatable, Sendable {
    var id: Int
  }

  @CasePathable
  public enum Nested {
    // `Item` is found only in the enum's scope.
    case item(Item)
  }

  @CasePathable
  fileprivate enum Hidden {
    case item(Item)
  }

  @CasePathable
  private enum Own: CasePathable {
    case item(Item)
  }

  static func nameOfOwn() -> String { Own.item(Item(id: 1)).currentCase.name }
}

extension Shop {
  @CasePathable
  public enum Extended {
    case item(Item)
  }
}

// swift-format-ignore: NoAccessLevelOnExtensionDeclaration
public extension Shop {
  @CasePathable
  enum PublicByExtension {
    case item(Item)
  }
}

@CasePathable
private enum InFile {
  case item(Int)
}

enum InFileCheck {
  static func name() -> String { InFile.item(1).currentCase.name }
  static func hidden() -> Shop.Item? {
    Shop.Hidden.allCasePaths.item.extract(from: .item(Shop.Item(id: 1)))
  }
}

@MainActor
@CasePathable
enum OnMainActor {
  case idle
  case item(Int)
}

@CasePathable
enum Conditional {
  case always
  #if os(WASI)
    case here(String)
  #elseif !os(WASI)
    case here(Int)
    #if os(WASI)
      case there
    #endif
  #endif
}

@CasePathable
enum Available {
  case always
  @available(*, deprecated) case old(Int)
  @available(macOS 99, iOS 99, *) case new
  @available(*, unavailable) case gone(Int)
}

@available(*, deprecated)
enum Deprecated {
  @CasePathable
  @available(macOS 99, iOS 99, *)
  enum Inner {
    case one(Int)
  }
}

struct Box<Value: Sendable> {
  @CasePathable
  enum State {
    case empty
    case full(Value)
  }
}

@CasePathable
enum OnlyOne {
  case one(Int)
}

@CasePathable
enum NoCase {}

@CasePathable
enum Conforming: CasePathable {
  case one(Int)
}

@CasePathable
enum Outermost {
  case middle(Middle)

  @CasePathable
  enum Middle {
    case inner(Inner)
    case other

    @CasePathable
    enum Inner {
      case id(Int)
      case pair(a: Int, b: Int)
    }
  }
}
