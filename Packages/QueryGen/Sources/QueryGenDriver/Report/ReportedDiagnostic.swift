internal import Foundation
internal import Primitives
public import SQLSyntax

/// A diagnostic in machine-readable form. `querygen check --json` prints the ``json`` of each on a
/// line.
///
/// Offsets and lengths count bytes of the file. Lines and columns count from 1; a column is a
/// character of its line. All of them are `nil` if the diagnostic concerns a whole file or folder.
public struct ReportedDiagnostic: Hashable, Sendable, Codable {
  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Sendable, Codable { case error, warning }

  /// A range in a file.
  public struct Place: Hashable, Sendable, Codable {
    public var offset: Int
    public var length: Int
    public var line: Int
    public var column: Int
  }

  /// A note attached to a diagnostic.
  public struct Note: Hashable, Sendable, Codable {
    public var message: String
    public var place: Place?
  }

  /// A change that fixes the problem.
  public struct FixIt: Hashable, Sendable, Codable {
    public var place: Place
    public var replacement: String
  }

  /// The identifier of the rule, which does not change between releases.
  public var identity: String
  public var severity: Severity
  public var message: String
  public var file: String
  public var place: Place?
  public var notes: [Note]
  public var fixIts: [FixIt]

  init(_ failure: FileFailure) {
    identity = failure.identity.rawValue
    severity = failure.isWarning ? .warning : .error
    message = failure.message
    file = failure.path
    notes = []
    fixIts = []
  }

  /// Returns the diagnostics of a file, sorted by location.
  static func all(of file: InputFile) -> [ReportedDiagnostic] {
    guard !file.diagnostics.diagnostics.isEmpty else { return [] }
    let lines = file.source.lineTable()
    return file.diagnostics.sortedByLocation.map { ReportedDiagnostic($0, in: file, lines) }
  }

  private init(_ diagnostic: Diagnostic, in file: InputFile, _ lines: LineTable) {
    func place(_ span: ByteSpan) -> Place {
      let start = min(span.start.value, file.source.byteCount)
      let end = max(start, min(span.end.value, file.source.byteCount))
      let offset = file.offsetInFile(start)
      let line = lines.position(of: span.start).line
      return Place(
        offset: offset, length: file.offsetInFile(end) - offset, line: line,
        column: SourceExcerpt(file.source, lines, line: line, span: span).column)
    }
    identity = diagnostic.identity.rawValue
    severity = diagnostic.severity == .error ? .error : .warning
    message = diagnostic.message
    self.file = file.path
    self.place = place(diagnostic.span)
    notes = diagnostic.notes.map { Note(message: $0.message, place: $0.span.map(place)) }
    fixIts = [diagnostic.fixIt].compactMap(\.self).map {
      FixIt(place: place($0.span), replacement: $0.replacement)
    }
  }

  /// One line of JSON.
  public var json: String {
    var fields = [
      ("identity", JSONText.quotedForLine(identity)),
      ("severity", JSONText.quotedForLine(severity.rawValue)),
      ("message", JSONText.quotedForLine(message)), ("file", JSONText.quotedForLine(file)),
    ]
    fields += Self.fields(of: place)
    fields.append(
      (
        "notes",
        Self.list(
          notes.map {
            Self.object(
              [("message", JSONText.quotedForLine($0.message))] + Self.fields(of: $0.place))
          }
        )
      ))
    fields.append(
      (
        "fix_its",
        Self.list(
          fixIts.map { fixIt in
            Self.object(
              Self.fields(of: fixIt.place) + [
                ("replacement", JSONText.quotedForLine(fixIt.replacement))
              ])
          })
      ))
    return Self.object(fields)
  }

  private static func fields(of place: Place?) -> [(String, String)] {
    [
      ("offset", place.map { "\($0.offset)" }), ("length", place.map { "\($0.length)" }),
      ("line", place.map { "\($0.line)" }), ("column", place.map { "\($0.column)" }),
    ].map { ($0, $1 ?? "null") }
  }

  private static func object(_ fields: [(String, String)]) -> String {
    "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  private static func list(_ elements: [String]) -> String {
    "[" + elements.joined(separator: ",") + "]"
  }
}

extension DiagnosticList {
  /// The diagnostics, sorted by location. Those at the same location keep their order.
  public var sortedByLocation: [Diagnostic] {
    diagnostics.enumerated().sorted {
      ($0.element.span.start, $0.offset) < ($1.element.span.start, $1.offset)
    }.map(\.element)
  }
}
