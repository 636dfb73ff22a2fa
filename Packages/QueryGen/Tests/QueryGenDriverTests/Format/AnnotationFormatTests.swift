import SQLSyntax
import Testing

@testable import QueryGenDriver

@Suite struct `Formatting annotations` {
  private static let text = """
    -- order: :sort = name, score desc nulls last AS best
    /* order: :sort = length(name) AS length */
    q: select * from t join u on u.id=t.u /* if :u */ and u.name=:u where
    -- if :a
    a=:a and -- if :b
    (b=:b or c) /* if :c,:d */
    and c between :c and :d -- if :e
    and e in (select e from v where /* if :f */ f=:f and g)
    group by a having /* if :h */ count(*)>:h order by :sort,id;
    """

  private func annotations(_ text: String) -> [QueryAnnotations] {
    var list = DiagnosticList()
    let file = Parser.parseQueryFile(SourceText(text), diagnostics: &list)
    #expect(list.diagnostics.map(\.message) == [], "\(text)")
    return file.queries.map(\.annotations)
  }

  @Test(arguments: [10, 30, 60, 200])
  func `keeps each with its term, for any width`(_ width: Int) throws {
    let options = FormatOptions(width: width)
    guard
      case .formatted(let bytes) = SQLFormatter(options: options).format(
        Array(Self.text.utf8), path: "a.sql")
    else {
      Issue.record("the text was not formatted")
      return
    }
    let formatted = annotations(String(decoding: bytes, as: UTF8.self))
    #expect(formatted == annotations(Self.text))
    #expect(formatted.first?.clauses.flatMap(\.terms).filter { !$0.condition.isEmpty }.count == 7)
  }
}
