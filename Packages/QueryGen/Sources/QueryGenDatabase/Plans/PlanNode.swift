internal import Primitives
internal import SQLiteCore

/// A step of a plan, reduced to the parts on which the rules depend.
///
/// SQLite's descriptions are not an interface: see <https://sqlite.org/eqp.html>. Only words that
/// all releases since 3.35 use are read.
struct PlanNode {
  enum Kind {
    /// `SCAN t`, `SEARCH t USING INDEX i (a=?)`
    case access(Access)
    /// `USE TEMP B-TREE FOR ORDER BY`, and what is sorted
    case sort(String)
    /// `MULTI-INDEX OR`: several searches of one table
    case alternatives
    /// A subquery that runs for each row of the enclosing one.
    case correlated
    /// `CO-ROUTINE x`, `COMPOUND QUERY` and other steps with loops of their own.
    case nested
  }

  let kind: Kind
  let children: [PlanNode]

  init(_ step: QueryPlan.Step) {
    children = step.children.map(PlanNode.init)
    let detail = step.detail
    if let access = Access(detail) {
      kind = .access(access)
    } else if let range = detail.firstRange(of: "USE TEMP B-TREE FOR ") {
      kind = .sort(String(detail[range.upperBound...]))
    } else if detail.hasPrefix("MULTI-INDEX OR") {
      kind = .alternatives
    } else {
      kind = detail.hasPrefix("CORRELATED ") ? .correlated : .nested
    }
  }

  /// The label of the table that the step reads; `nil` for a step with loops of its own.
  var label: String? {
    switch kind {
    case .access(let access): access.label
    case .alternatives: accesses.first?.label
    case .sort, .correlated, .nested: nil
    }
  }

  /// The accesses of this step and its substeps.
  var accesses: [Access] {
    var accesses = children.flatMap(\.accesses)
    if case .access(let access) = kind { accesses.append(access) }
    return accesses
  }
}

extension PlanNode {
  /// A loop over rows of a table, a subquery or a virtual table.
  struct Access {
    enum Path: Hashable {
      /// The rows in the order of the table.
      case table
      /// The rowid, or the primary key of a table without rowid.
      case key
      case index(String)
      /// An index that SQLite builds while the statement runs.
      case automatic
    }

    /// The alias or the name of the table in the statement, in lowercase.
    let label: String
    /// Indicates whether only some rows are read.
    let isSearch: Bool
    var path = Path.table
    /// Indicates whether the index contains all columns that are read.
    var isCovering = false
    /// The terms by which rows are found, such as `a=?` and `b>?`.
    var terms: [String] = []
    /// Indicates whether the rows are constants or belong to a virtual table.
    var isVirtual = false

    init?(_ detail: String) {
      var rest: Substring
      if detail.hasPrefix("SCAN ") {
        isSearch = false
        rest = detail.dropFirst(5)
      } else if detail.hasPrefix("SEARCH ") {
        isSearch = true
        rest = detail.dropFirst(7)
      } else {
        return nil
      }
      var using: Substring = ""
      if let range = rest.firstRange(of: " USING ") {
        using = rest[range.upperBound...]
        rest = rest[..<range.lowerBound]
      } else if let range = rest.firstRange(of: " VIRTUAL TABLE INDEX") {
        isVirtual = true
        rest = rest[..<range.lowerBound]
      }
      // Releases before 3.36 name the kind of source, and both the table and its alias.
      for word in ["TABLE ", "SUBQUERY "] where rest.hasPrefix(word) {
        rest = rest.dropFirst(word.count)
      }
      for suffix in [" LEFT-JOIN", " EXISTS"] where rest.hasSuffix(suffix) {
        rest = rest.dropLast(suffix.count)
      }
      if rest.hasSuffix("CONSTANT ROW") || rest.hasSuffix("CONSTANT ROWS")
        || rest.hasSuffix("-ROW VALUES CLAUSE")
      {
        isVirtual = true
      }
      if let range = rest.ranges(of: " AS ").last { rest = rest[range.upperBound...] }
      label = String(rest).asciiLowercased
      read(using)
    }

    /// Reads the text after `USING`.
    private mutating func read(_ text: Substring) {
      guard !text.isEmpty else { return }
      var head = text
      if let open = text.firstRange(of: " (") {
        head = text[..<open.lowerBound]
        let inner = text[open.upperBound...].prefix { $0 != ")" }
        terms = inner.split(separator: " AND ").map(String.init)
      }
      isCovering = head.contains("COVERING INDEX")
      if head.hasPrefix("AUTOMATIC") {
        path = .automatic
      } else if head.hasSuffix("PRIMARY KEY") {
        path = .key
      } else if let range = head.firstRange(of: "INDEX ") {
        path = .index(String(head[range.upperBound...]))
      }
    }

    /// The number of columns that are compared with `=`.
    var equalityCount: Int { terms.count { $0.hasSuffix("=?") } }

    /// The columns that are compared, without expressions.
    var columns: [String] {
      terms.compactMap { term in
        let name = term.prefix { !"=<>".contains($0) }
        return name.isEmpty || name.hasPrefix("<") ? nil : String(name)
      }
    }
  }
}
