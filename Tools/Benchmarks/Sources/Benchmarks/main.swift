import CBaseline
import Foundation
import SQLiteCore

// Runs every workload in C, with Holt and with its peers, in turn and in one process.
//
//   Benchmarks [--quick] [--json FILE] [--only WORKLOAD] [--way NAME]
//
// `--way` leaves one contestant, for a profiler.

let arguments = Array(CommandLine.arguments.dropFirst())
let isQuick = arguments.contains("--quick")
let jsonPath = value(of: "--json")
let onlyWorkload = value(of: "--only")
let onlyWay = value(of: "--way")

func value(of option: String) -> String? {
  arguments.firstIndex(of: option).flatMap { index in
    arguments.indices.contains(index + 1) ? arguments[index + 1] : nil
  }
}

let rows = isQuick ? 50_000 : 200_000
let inserts = isQuick ? 25_000 : 100_000
let lookups = isQuick ? 25_000 : 100_000
let rounds = isQuick ? 5 : 9

struct BaselineError: Error {
  let code: Int32
}

/// What the C baseline computed, or the error that it met.
func baseline(_ body: (inout UInt64) -> Int32) throws -> UInt64 {
  var sum: UInt64 = 0
  let code = body(&sum)
  guard code == 0 else { throw BaselineError(code: code) }
  return sum
}

/// A folder in memory where the system has one, so that the disk is not what is measured.
func makeFolder() throws -> URL {
  let memory = URL(fileURLWithPath: "/dev/shm")
  let parent =
    FileManager.default.isWritableFile(atPath: memory.path)
    ? memory : FileManager.default.temporaryDirectory
  let folder = parent.appendingPathComponent("holt-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}

let folder = try makeFolder()
defer { try? FileManager.default.removeItem(at: folder) }

let count = max(rows, inserts)
guard let raw = baseline_items(count) else { throw BaselineError(code: 7) }
defer { free(raw) }
let path = folder.appendingPathComponent("items.sqlite").path
let target = folder.appendingPathComponent("inserted.sqlite").path
_ = try baseline { baseline_create(path, raw, rows, &$0) }
let items = Item.all(raw, count: inserts)

let workloads = [
  Workload(
    name: "W1", title: "fetch \(rows) rows of 10 columns into structs",
    contestants: [
      Contestant(name: "C", kind: .c) { try baseline { baseline_fetch_all(path, &$0) } },
      Contestant(name: "Holt", kind: .holt) { try HoltWorkloads.fetchAll(path) },
      Contestant(name: "GRDB, records by position", kind: .peer) {
        try GRDBWorkloads.fetchAllByPosition(path)
      },
      Contestant(name: "GRDB, records by name", kind: .peer) {
        try GRDBWorkloads.fetchAllByName(path)
      },
    ]),
  Workload(
    name: "W3", title: "insert \(inserts) structs in one transaction",
    contestants: [
      Contestant(name: "C", kind: .c) {
        try baseline { baseline_insert(target, raw, inserts, &$0) }
      },
      Contestant(name: "Holt", kind: .holt) { try HoltWorkloads.insert(target, items) },
      Contestant(name: "GRDB, statement", kind: .peer) {
        try GRDBWorkloads.insertByStatement(target, items)
      },
      Contestant(name: "GRDB, records", kind: .peer) {
        try GRDBWorkloads.insertByRecord(target, items)
      },
    ]),
  Workload(
    name: "W4", title: "\(lookups) lookups by primary key",
    contestants: [
      Contestant(name: "C", kind: .c) {
        try baseline { baseline_look_up(path, rows, lookups, &$0) }
      },
      Contestant(name: "Holt", kind: .holt) {
        try HoltWorkloads.lookUp(path, rows: rows, lookups: lookups)
      },
      Contestant(name: "GRDB, cached statement", kind: .peer) {
        try GRDBWorkloads.lookUpByStatement(path, rows: rows, lookups: lookups)
      },
      Contestant(name: "GRDB, fetchOne(key:)", kind: .peer) {
        try GRDBWorkloads.lookUpByKey(path, rows: rows, lookups: lookups)
      },
    ]),
]

print("SQLite through one library, \(rounds) rounds in turn, CPU time of the whole process\n")
var report = Report()
for workload in workloads where workload.name == onlyWorkload ?? workload.name {
  let workload = workload.leaving(onlyWay)
  let measurements = try workload.measure(rounds: rounds)
  report.add(workload, measurements)
  print(Report.table(workload, measurements))
}
if let jsonPath { try report.json().write(to: URL(fileURLWithPath: jsonPath)) }
