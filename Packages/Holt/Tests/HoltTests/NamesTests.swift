import Foundation
import Holt
import Testing

/// Names that exist in two packages, used with only the umbrella module imported.
@Suite struct `Names of the umbrella module` {
  struct PlayersRequest: ValueObservationQueryable {
    static var defaultValue: [Player] { [] }

    func fetch(_ db: Connection) throws -> [Player] {
      try db.fetchAll(Player.self, "SELECT * FROM player ORDER BY id")
    }
  }

  @MainActor struct Scoreboard {
    @Query(PlayersRequest()) var players: [Player]
  }

  struct Greeter {
    let fetchName: any DatabaseQuery<Int, String>
    let fetchAgain: any QueryGen.Query<Int, String>
    let all: any AllPlayersQuery
  }

  @Test @MainActor func `Query is the property wrapper`() async throws {
    let db = try DB()
    let team = try await db.addTeam.execute("Reds")
    let ann = try await db.addPlayer.execute(team: team, name: "Ann", score: 3)
    let board = QueryEnvironment.with(\.databaseContext, .readOnly { db.database }) { Scoreboard() }
    var iterator = board.$players.values.makeAsyncIterator()
    #expect(await iterator.next(isolation: MainActor.shared) == [ann])
  }

  @Test func `DatabaseQuery and QueryGen Query are the protocol`() async throws {
    let greeter = Greeter(
      fetchName: Queries.Just("Ada"), fetchAgain: Queries.Just("Bob"), all: Queries.Just([]))
    #expect(try await greeter.fetchName.execute(1) == "Ada")
    #expect(try await greeter.fetchAgain.execute(1) == "Bob")
    #expect(try await greeter.all.execute() == [])
  }

  @Test func `each other public name belongs to one package`() throws {
    var owners: [String: Set<String>] = [:]
    let packages = [
      "Primitives", "SQLiteCore", "SPON", "Observe", "QueryGen", "Router", "Relations", "Providers",
    ]
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    for package in packages {
      let sources = root.appending(path: "\(package)/Sources/\(package)")
      let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
      for case let file as URL in try #require(files) where file.pathExtension == "swift" {
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
          if let name = Self.declaredName(in: line) { owners[name, default: []].insert(package) }
        }
      }
    }
    // The names that `import Holt` exposes: Primitives is not re-exported as a whole.
    let exposed = owners.filter { $0.value != ["Primitives"] }
    #expect((150...220).contains(exposed.count), "\(exposed.count) names")
    let shared = owners.filter { $0.value.count > 1 }
    #expect(shared == ["Query": ["Observe", "QueryGen"]])
  }

  /// The name of a public top-level declaration; `nil` for an indented line.
  private static func declaredName(in line: Substring) -> String? {
    let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor", "macro",
    ]
    guard line.first?.isWhitespace == false, words.contains("public"),
      let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count,
      Set(words[..<kind]).isDisjoint(with: ["extension", "import"]), !line.hasPrefix("//")
    else { return nil }
    return String(words[kind + 1])
  }
}
