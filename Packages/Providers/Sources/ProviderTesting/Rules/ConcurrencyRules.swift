internal import Providers
internal import SQLiteCore
internal import Primitives

extension ProviderConformance {
  static let concurrencyCases: [Case] = taskCases + threadCases + fileCases

  private static let taskCases: [Case] = [
    asyncRule(.concurrency, "concurrent tasks lose no write") { subject in
      let provider = try subject.opened("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)")
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 1...40 {
          group.addTask {
            try await provider.execute("INSERT INTO t (a) VALUES (?)", withParameters: [number])
          }
        }
        var ids = Set<Int>()
        for try await id in group { ids.insert(id) }
        try subject.expect(ids.count, 40, "the ids that were returned")
      }
      let rows = try await provider.query("SELECT count(*), sum(a) FROM t").map(\.values)
      try subject.expect(rows, [[40, 820]], "the rows")
    },
    asyncRule(.concurrency, "no task sees a partial transaction") { subject in
      let provider = try subject.opened("CREATE TABLE t (a)")
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 1...20 {
          group.addTask {
            try await provider.transaction { transaction in
              try transaction.execute("INSERT INTO t VALUES (?)", withParameters: [number])
              try transaction.execute("INSERT INTO t VALUES (?)", withParameters: [-number])
            }
            return 0
          }
          group.addTask { try await provider.countRows(inTable: "t") % 2 }
          group.addTask {
            try await provider.read { connection in
              let first = try connection.value(Int.self, "SELECT count(*) FROM t")
              let second = try connection.value(Int.self, "SELECT count(*) FROM t")
              return first == second ? 0 : 1
            }
          }
        }
        for try await odd in group { try subject.expect(odd, 0, "the partial state") }
      }
      let rest = try await provider.query("SELECT count(*), sum(a) FROM t").map(\.values)
      try subject.expect(rest, [[40, 0]], "the rows")
    },
    asyncRule(.concurrency, "a read and a write in one access are isolated") { subject in
      let provider = try subject.opened("CREATE TABLE t (a)", "INSERT INTO t VALUES (0)")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 1...30 {
          group.addTask {
            try await provider.transaction { transaction in
              let value = try transaction.query("SELECT a FROM t")["a"]
              guard case .integer(let a)? = value else { return }
              try transaction.execute("UPDATE t SET a = ?", withParameters: [a + 1])
            }
          }
        }
        try await group.waitForAll()
      }
      let rows = try await provider.query("SELECT a FROM t").map(\.values)
      try subject.expect(rows, [[30]], "the rows")
    },
    asyncRule(.concurrency, "many tasks can read streams") { subject in
      let provider = try subject.providerWithRows()
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 1...10 {
          group.addTask {
            var count = 0
            for try await _ in try provider.records("SELECT * FROM t") { count += 1 }
            return count
          }
          group.addTask {
            try await provider.execute("UPDATE t SET name = name")
          }
        }
        for try await count in group { try subject.expect(count, 2, "rows") }
      }
    },
  ]

  private static let threadCases: [Case] = [
    rule(.concurrency, "concurrent threads lose no write") { subject in
      let provider = try subject.opened("CREATE TABLE t (a INTEGER)")
      let errors = Mutex<[String]>([])
      onThreads(4) { thread in
        for number in 0..<10 {
          do {
            try provider.execute("INSERT INTO t VALUES (?)", withParameters: [thread * 10 + number])
            _ = try provider.countRows(inTable: "t")
          } catch {
            errors.withLock { $0.append("\(error)") }
          }
        }
      }
      try subject.expect(errors.withLock(\.self), [], "the errors")
      try subject.expectRows(provider, "SELECT count(*), sum(a) FROM t", [[40, 780]])
    },
    rule(.concurrency, "a provider can be closed during accesses") { subject in
      let provider = try subject.providerWithRows()
      let errors = Mutex<[any Error]>([])
      onThreads(4) { thread in
        do {
          if thread == 2 { return try provider.closeSource() }
          for _ in 0..<20 {
            _ = try provider.query("SELECT * FROM t")
            try provider.execute("UPDATE t SET name = name")
          }
        } catch {
          errors.withLock { $0.append(error) }
        }
      }
      for error in errors.withLock(\.self) {
        let isClosed =
          (error as? ProviderError)?.code == .notOpen || (error as? SQLiteError)?.code == .closed
        try subject.expect(isClosed, true, "the error says that it is closed: \(error)")
      }
      try subject.expect(provider.isOpen, false, "isOpen")
    },
  ]

  private static let fileCases: [Case] = [
    asyncRule(.concurrency, "many providers can have their own files", needs: .files) { subject in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...8 {
          group.addTask {
            let provider = subject.provider()
            try await provider.openSource(subject.file("f\(number)"))
            try await provider.execute(
              "CREATE TABLE f\(unsafe: "\(number)") (a); INSERT INTO f\(unsafe: "\(number)") VALUES (?)",
              withParameters: [number])
            try await provider.closeSource()
          }
        }
        try await group.waitForAll()
      }
      for number in 1...8 {
        try subject.expect(
          subject.contents(ofFile: subject.path("f\(number)")), [[.integer(Int64(number))]],
          "the rows of \(number)")
      }
    },
    asyncRule(.concurrency, "a source can be persisted during writes", needs: .files) { subject in
      let provider = try subject.opened("CREATE TABLE t (a INTEGER)")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...20 {
          group.addTask {
            try await provider.transaction { transaction in
              try transaction.execute("INSERT INTO t VALUES (?)", withParameters: [number])
              try transaction.execute("INSERT INTO t VALUES (?)", withParameters: [-number])
            }
          }
          if number.isMultiple(of: 4) { group.addTask { try await provider.persist() } }
        }
        try await group.waitForAll()
      }
      let path = subject.path()
      let written = try subject.contents(ofFile: path)
      try subject.expect(written.count % 2, 0, "rows of a partial transaction in the file")
      try await provider.persist()
      try subject.expect(subject.contents(ofFile: path).count, 40, "the rows of the file")
      try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
    },
    asyncRule(.concurrency, "many tasks can open and close a source", needs: .files) { subject in
      try subject.fileWithRows()
      let provider = subject.provider()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...12 {
          group.addTask {
            if number.isMultiple(of: 3) {
              try await provider.closeSource()
            } else {
              try await provider.openSource(subject.file())
            }
          }
        }
        try await group.waitForAll()
      }
      try await provider.openSource(subject.file())
      let rows = try await provider.query("SELECT * FROM t").map(\.values)
      try subject.expect(rows, Subject.initialRows, "the rows")
    },
  ]
}
