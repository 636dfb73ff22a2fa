import Router
import RouterTesting
import SQLiteCore
import Testing

/// A fault of an executor, and the topic whose rules detect it.
enum Fault: String, CaseIterable, Sendable {
  case ignoresFilter, takesNotForNothing, takesOrForAnd, foldsCase, takesNullsForDistinct
  case letsUnknownOperatorsPass, ignoresLimit, ignoresOffset, ignoresOrder, putsNullsFirst
  case reversesRows, ignoresColumns, takesTheFirstOfMany, takesNegativeLimits, forgetsPages
  case insertsDefaultsForNulls, insertsOneByOne, forgetsAffected, givesNothingBack, sortsGivenBack
  case changesWholeTables, updatesNothing, checksAfterWriting, deletesMore, replacesByUpsert
  case ignoresByMerging, mergesOnTheKeyAlone, runsTogetherOneByOne, textsForIntegers
  case roundsIntegers, textsForBytes, normalizesText, emptyForNull, guessesColumns, tellsValues
  case forgetsWhichRoute, givesNoneForErrors, forgetsEmbeds, limitsNothing

  var topic: Conformance.Topic {
    switch self {
    case .ignoresFilter, .foldsCase, .letsUnknownOperatorsPass: .filters
    case .takesNotForNothing, .takesOrForAnd: .logic
    case .takesNullsForDistinct: .nulls
    case .ignoresLimit, .ignoresOffset, .ignoresColumns, .takesTheFirstOfMany,
      .takesNegativeLimits:
      .reading
    case .ignoresOrder, .putsNullsFirst, .reversesRows: .order
    case .forgetsPages: .pages
    case .insertsDefaultsForNulls, .insertsOneByOne, .forgetsAffected, .givesNothingBack,
      .sortsGivenBack:
      .insert
    case .updatesNothing, .changesWholeTables: .update
    case .deletesMore: .delete
    case .checksAfterWriting: .singular
    case .replacesByUpsert, .ignoresByMerging, .mergesOnTheKeyAlone: .upsert
    case .runsTogetherOneByOne: .batches
    case .textsForIntegers, .roundsIntegers, .textsForBytes, .normalizesText, .emptyForNull:
      .values
    case .guessesColumns: .names
    case .tellsValues, .forgetsWhichRoute, .givesNoneForErrors: .errors
    case .forgetsEmbeds: .embeds
    case .limitsNothing: .limits
    }
  }
}

/// A SQLite executor with one fault.
struct FaultyExecutor: RouteExecutor {
  let fault: Fault
  private var base: SQLiteRouteExecutor

  init(_ fault: Fault, of base: SQLiteRouteExecutor) {
    self.fault = fault
    self.base = base
    if fault == .limitsNothing { self.base.limits = DatabaseRoute.Limits() }
  }

  func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    do {
      return changed(try await runChanged(route), of: route)
    } catch let error as RouterError {
      switch fault {
      case .tellsValues:
        let value = route.values.first?.fields.first?.value ?? "s3cret"
        throw RouterError(
          code: error.code, message: "\(error.message): \(value)", table: error.table,
          column: error.column, routeId: error.routeId, route: error.route,
          constraint: error.constraint)
      case .forgetsWhichRoute: throw RouterError(code: error.code, message: error.message)
      case .givesNoneForErrors: return DatabaseRoute.Response()
      case .guessesColumns where error.code == .unknownColumn: return DatabaseRoute.Response()
      default: throw error
      }
    }
  }

  func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response] {
    guard fault == .runsTogetherOneByOne else { return try await base.run(routes) }
    var responses: [DatabaseRoute.Response] = []
    for route in routes { responses.append(try await base.run(route)) }
    return responses
  }

  private func runChanged(_ original: DatabaseRoute) async throws -> DatabaseRoute.Response {
    var route = original
    switch fault {
    case .ignoresFilter where route.isReadOnly: route.filter = nil
    case .takesNotForNothing, .takesOrForAnd, .foldsCase, .takesNullsForDistinct,
      .letsUnknownOperatorsPass:
      route.filter = route.filter.map(changed)
    case .ignoresLimit: if route.method == .fetch { route.limit = nil }
    case .ignoresOffset: route.offset = nil
    case .ignoresOrder: route.orders = []
    case .putsNullsFirst:
      for index in route.orders.indices { route.orders[index].nullsFirst = true }
    case .ignoresColumns: route.columns = []
    case .takesTheFirstOfMany where route.method == .fetchOne: route.limit = 1
    case .takesNegativeLimits: route.limit = route.limit.flatMap { $0 < 0 ? nil : $0 }
    case .forgetsPages: if route.page?.after != nil { route.page = .init() }
    case .insertsDefaultsForNulls: route = route.omittingNulls()
    case .insertsOneByOne where route.values.count > 1 && route.method == .insert:
      var all = DatabaseRoute.Response()
      for record in route.values {
        var one = route
        one.values = [record]
        let response = try await base.run(one)
        all.columns = response.columns
        all.rows += response.rows
        all.affected += response.affected
      }
      return all
    case .changesWholeTables where !route.isReadOnly: route.filter = route.filter ?? .all
    case .updatesNothing where route.method == .update:
      var read = DatabaseRoute(.fetch, route.table)
      read.filter = route.filter
      let rows = try await base.run(read).rows
      return DatabaseRoute.Response(
        rows: route.returning == .minimal ? [] : rows, affected: rows.count)
    case .checksAfterWriting:
      route.expectation = nil
      let response = try await base.run(route)
      let count = route.isReadOnly ? response.rows.count : response.affected
      if count > 1, original.expectation != nil {
        throw RouterError(code: .multipleRows, message: "too late")
      }
      if count == 0, original.expectation == .one {
        throw RouterError(code: .notFound, message: "there is none")
      }
      return response
    case .deletesMore where route.method == .delete && route.filter != nil: route.filter = .all
    case .replacesByUpsert where route.method == .upsert:
      for record in route.values {
        guard let id = record["id"] else { continue }
        // Without its children, like a replaced row.
        var delete = DatabaseRoute(.custom, route.table)
        delete.statement = try? .init(
          "DELETE FROM \(unsafe: "\(route.table)") WHERE id = ?", values: [id], access: .write)
        _ = try? await base.run(delete)
      }
    case .ignoresByMerging where route.method == .upsert: route.conflict?.resolution = .merge
    case .mergesOnTheKeyAlone where route.method == .upsert: route.conflict?.target = []
    case .textsForIntegers, .roundsIntegers, .textsForBytes, .normalizesText:
      for index in route.values.indices {
        for field in route.values[index].fields.indices {
          let value = route.values[index].fields[field].value
          route.values[index].fields[field].value = changed(value)
        }
      }
    case .forgetsEmbeds: route.embeds = []
    default: break
    }
    return try await base.run(route)
  }

  private func changed(_ value: SQLiteValue) -> SQLiteValue {
    switch (fault, value) {
    case (.textsForIntegers, .integer(let integer)): .text(String(integer))
    case (.roundsIntegers, .integer(let integer)):
      .integer(Int64(exactly: Double(integer)) ?? 0)
    case (.textsForBytes, .blob(let bytes)): .text(String(decoding: bytes, as: UTF8.self))
    case (.normalizesText, .text("e\u{301}")): .text("é")
    default: value
    }
  }

  private func changed(_ filter: DatabaseRoute.Filter) -> DatabaseRoute.Filter {
    switch filter.form {
    case .all: return .all
    case .tooDeep: return filter
    case .and(let filters): return .and(filters.map(changed))
    case .or(let filters):
      return fault == .takesOrForAnd ? .and(filters.map(changed)) : .or(filters.map(changed))
    case .not(let filter):
      return fault == .takesNotForNothing ? changed(filter) : .not(changed(filter))
    case .comparison(var comparison):
      switch (fault, comparison.operator) {
      case (.foldsCase, .like): comparison.operator = .iLike
      case (.takesNullsForDistinct, .notEquals): comparison.operator = .isDistinct
      case (.letsUnknownOperatorsPass, let name) where name.rawValue.contains(" "): return .all
      default: break
      }
      return .comparison(comparison)
    }
  }

  private func changed(_ response: DatabaseRoute.Response, of route: DatabaseRoute)
    -> DatabaseRoute.Response
  {
    var response = response
    switch fault {
    case .reversesRows: response.rows.reverse()
    case .forgetsAffected: response.affected = 0
    case .givesNothingBack where !route.isReadOnly: response.rows = []
    case .sortsGivenBack where !route.isReadOnly:
      response.rows.sort { "\($0)" < "\($1)" }
    case .emptyForNull:
      response.rows = response.rows.map { $0.map { $0.isNull ? "" : $0 } }
    default: break
    }
    return response
  }
}

@Suite struct `A fault of an executor` {
  @Test func `is detected by a rule of its topic`() async throws {
    var database = try await ConformingDatabase()
    for fault in Fault.allCases {
      let failure = try await Self.firstFailure(fault, &database)
      #expect(failure != nil, "no rule of \(fault.topic) fails if an executor \(fault)")
    }
  }

  private static func firstFailure(
    _ fault: Fault, _ database: inout ConformingDatabase
  ) async throws -> Conformance.Failure? {
    for rule in Conformance.cases where rule.topic == fault.topic {
      let executor = FaultyExecutor(fault, of: try await database.executor(for: rule))
      do {
        try await rule.run(on: executor)
      } catch let failure as Conformance.Failure {
        return failure
      }
    }
    return nil
  }
}
