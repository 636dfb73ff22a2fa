import ArgumentParser
import Primitives

/// The values of `--theme`.
enum DiagramTheme: String, CaseIterable, ExpressibleByArgument { case auto, light, dark }

/// A schema diagram rendered as SVG.
struct SVGDiagram {
  private let diagram: SchemaDiagram
  private let theme: DiagramTheme
  private let boxes: [Box]

  /// The dimensions of a table's box.
  private struct Box {
    var width: Double
    var height: Double
    /// The width of the key markers before the column names.
    var keyWidth: Double
  }

  private static let rowHeight = 20.0
  private static let headHeight = 28.0
  private static let letter = 7.3
  private static let padding = 10.0
  private static let edge = 28.0

  init(_ diagram: SchemaDiagram, theme: DiagramTheme = .auto) {
    self.diagram = diagram
    self.theme = theme
    boxes = diagram.tables.map(Self.box)
  }

  private static func box(_ table: SchemaDiagram.Table) -> Box {
    let hasBoth = table.rows.contains { $0.isKey && $0.isReference }
    let hasAny = table.rows.contains { $0.isKey || $0.isReference }
    let keyWidth = hasBoth ? 44.0 : hasAny ? 24.0 : 0.0
    let widest =
      table.rows.map { width(short($0.name, 34)) + width(type(of: $0)) + 18 }.max() ?? 0
    let head = width(short(table.name, 40)) * 1.1 + (table.note.map { width($0) + 16 } ?? 0)
    return Box(
      width: (max(keyWidth + widest, head, 110) + padding * 2).rounded(.up),
      height: headHeight + Double(table.rows.count) * rowHeight + 6, keyWidth: keyWidth)
  }

  private static func width(_ text: String) -> Double {
    // East Asian characters are wider.
    text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x1100 ? letter * 1.7 : letter) }
  }

  private static func short(_ text: String, _ count: Int) -> String {
    text.count > count ? text.prefix(count - 1) + "…" : text
  }

  private static func type(of row: SchemaDiagram.Row) -> String {
    short(row.type.isEmpty ? "any" : row.type.lowercased(), 22) + (row.isNullable ? "?" : "")
  }

  private static func port(_ row: Int) -> Double {
    headHeight + (Double(row) + 0.5) * rowHeight + 1
  }

  // MARK: The picture

  var text: String {
    let links = diagram.links
    let layout = LayeredLayout(
      nodes: boxes.map { .init(width: $0.width, height: $0.height) },
      edges: links.map {
        .init(
          from: $0.parent, to: $0.child, fromPort: parentPort($0), toPort: Self.port($0.childRow))
      }
    ).layout()
    let loops = links.contains { $0.child == $0.parent } ? 30.0 : 0
    let width = (layout.width + Self.edge * 2 + loops).rounded(.up)
    let height = (layout.height + Self.edge * 2).rounded(.up)
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.number(width))" height="\(Self.number(height))" \
      viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img">
      <title>\(summary.escapedForXML)</title>
      <style>\(Self.style(theme))</style>
      <rect class="page" width="100%" height="100%"/>
      <g transform="translate(\(Self.number(Self.edge)) \(Self.number(Self.edge)))">

      """
    for (link, route) in zip(links, layout.routes) {
      svg += line(link, route, layout.origins)
    }
    for (index, origin) in layout.origins.enumerated() { svg += box(index, at: origin) }
    for (link, route) in zip(links, layout.routes) { svg += ends(link, route, layout.origins) }
    return svg + "</g>\n</svg>\n"
  }

  /// The vertical position of a line's end at the parent table. Lines of nullable and of non-nullable
  /// foreign keys that reference the same row end at different positions.
  private func parentPort(_ link: SchemaDiagram.Link) -> Double {
    let isShared = diagram.links.contains {
      $0.parent == link.parent && $0.parentRow == link.parentRow
        && $0.isOptional != link.isOptional
    }
    return Self.port(link.parentRow) + (isShared ? (link.isOptional ? 5 : -5) : 0)
  }

  private var summary: String {
    let names = diagram.tables.map(\.name)
    return names.count.counted("table") + ": " + names.prefix(100).joined(separator: ", ")
  }

  // MARK: Lines

  private typealias Point = LayeredLayout.Point

  /// The points of a line. A line from a table to itself runs around the box's right edge.
  private func points(
    _ link: SchemaDiagram.Link, _ route: [Point], _ origins: [Point]
  ) -> [Point] {
    guard link.child == link.parent else { return route }
    let origin = origins[link.child]
    let x = origin.x + boxes[link.child].width
    let (parent, child) = (
      origin.y + parentPort(link), origin.y + Self.port(link.childRow)
    )
    return [
      Point(x: x, y: parent), Point(x: x + 30, y: parent), Point(x: x + 30, y: child),
      Point(x: x, y: child),
    ]
  }

  private func line(_ link: SchemaDiagram.Link, _ route: [Point], _ origins: [Point]) -> String {
    let points = points(link, route, origins)
    guard points.count > 1 else { return "" }
    let dashes = link.isOptional ? " optional" : ""
    return "<path class=\"link\(dashes)\" d=\"\(Self.rounded(points))\"/>\n"
  }

  /// Returns a path through the points, with rounded corners.
  private static func rounded(_ corners: [Point]) -> String {
    var points: [Point] = []
    for point in corners {
      if let last = points.last, abs(last.x - point.x) + abs(last.y - point.y) < 0.5 { continue }
      // Removes points on a straight line.
      if points.count > 1 {
        let (a, b) = (points[points.count - 2], points[points.count - 1])
        if abs(a.y - b.y) < 0.5, abs(b.y - point.y) < 0.5 { points.removeLast() }
      }
      points.append(point)
    }
    guard let first = points.first, let last = points.last else { return "" }
    var path = "M\(number(first.x)) \(number(first.y))"
    for index in points.indices.dropFirst().dropLast() {
      let (a, corner, b) = (points[index - 1], points[index], points[index + 1])
      let radius = min(6, length(a, corner) / 2, length(corner, b) / 2)
      let (start, end) = (towards(corner, a, radius), towards(corner, b, radius))
      path += "L\(number(start.x)) \(number(start.y))"
      path += "Q\(number(corner.x)) \(number(corner.y)) \(number(end.x)) \(number(end.y))"
    }
    return path + "L\(number(last.x)) \(number(last.y))"
  }

  private static func length(_ a: Point, _ b: Point) -> Double { abs(a.x - b.x) + abs(a.y - b.y) }

  private static func towards(_ from: Point, _ to: Point, _ distance: Double) -> Point {
    let length = length(from, to)
    guard length > 0 else { return from }
    return Point(
      x: from.x + (to.x - from.x) * distance / length,
      y: from.y + (to.y - from.y) * distance / length)
  }

  /// Returns the symbols at the ends of a line, which show the possible number of rows.
  private func ends(_ link: SchemaDiagram.Link, _ route: [Point], _ origins: [Point]) -> String {
    let points = points(link, route, origins)
    guard points.count > 1 else { return "" }
    let (parent, child) = (points[0], points[points.count - 1])
    let parentSide = points[1].x >= parent.x ? 1.0 : -1.0
    let childSide = points[points.count - 2].x >= child.x ? 1.0 : -1.0
    var text = bar(parent, parentSide * 7)
    text += link.isOptional ? circle(parent, parentSide * 14) : bar(parent, parentSide * 11)
    if link.isSingle {
      text += bar(child, childSide * 7)
    } else {
      let tip = Self.number(child.x + childSide * 11)
      text +=
        "<path class=\"end\" d=\"M\(Self.number(child.x)) \(Self.number(child.y - 5))"
        + "L\(tip) \(Self.number(child.y))L\(Self.number(child.x)) \(Self.number(child.y + 5))\"/>\n"
    }
    return text + circle(child, childSide * 15)
  }

  private func bar(_ point: Point, _ distance: Double) -> String {
    let x = Self.number(point.x + distance)
    return "<path class=\"end\" d=\"M\(x) \(Self.number(point.y - 4))"
      + "V\(Self.number(point.y + 4))\"/>\n"
  }

  private func circle(_ point: Point, _ distance: Double) -> String {
    "<circle class=\"end ring\" cx=\"\(Self.number(point.x + distance))\" "
      + "cy=\"\(Self.number(point.y))\" r=\"3\"/>\n"
  }

  // MARK: Boxes

  private func box(_ index: Int, at origin: Point) -> String {
    let (table, box) = (diagram.tables[index], boxes[index])
    let (width, height, head) = (
      Self.number(box.width), Self.number(box.height), Self.number(Self.headHeight)
    )
    var svg = """
      <g transform="translate(\(Self.number(origin.x)) \(Self.number(origin.y)))">
      <rect class="box" width="\(width)" height="\(height)" rx="6"/>
      <path class="head" d="M0 \(head)V6a6 6 0 0 1 6 -6H\(Self.number(box.width - 6))a6 6 0 0 1 6 6V\(head)z"/>
      <text class="name" x="\(Self.number(Self.padding))" y="18.5">\(Self.short(table.name, 40).escapedForXML)</text>

      """
    if let note = table.note {
      svg += Self.rightText("note", note, box.width, 18.5)
    }
    for (number, row) in table.rows.enumerated() {
      let y = Self.headHeight + (Double(number) + 0.5) * Self.rowHeight + 5
      var x = Self.padding
      if row.isKey {
        svg += Self.text("key", "PK", x, y)
        x += 20
      }
      if row.isReference { svg += Self.text("reference", "FK", x, y) }
      svg += Self.text(
        row.isKey ? "column strong" : "column", Self.short(row.name, 34),
        Self.padding + box.keyWidth, y)
      svg += Self.rightText("type", Self.type(of: row), box.width, y)
    }
    return svg + "</g>\n"
  }

  private static func text(_ style: String, _ text: String, _ x: Double, _ y: Double) -> String {
    "<text class=\"\(style)\" x=\"\(number(x))\" y=\"\(number(y))\">\(text.escapedForXML)</text>\n"
  }

  private static func rightText(
    _ style: String, _ text: String, _ width: Double, _ y: Double
  ) -> String {
    "<text class=\"\(style)\" x=\"\(number(width - padding))\" y=\"\(number(y))\" "
      + "text-anchor=\"end\">\(text.escapedForXML)</text>\n"
  }

  /// Returns a number with at most one decimal.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }

  // MARK: Colors

  private static let light = """
    .page{fill:#ffffff}.box{fill:#ffffff;stroke:#c3cad5}.head{fill:#2f5d8a}.name{fill:#ffffff}.note{fill:#c9dcef}\
    .column{fill:#1f2733}.type{fill:#7a8594}.key{fill:#b26a00}.reference{fill:#2f7d5b}\
    .link,.end{stroke:#64748b}.ring{fill:#ffffff}
    """
  private static let dark = """
    .page{fill:#11161d}.box{fill:#1a212b;stroke:#3a4656}.head{fill:#2b5278}.name{fill:#f2f6fa}.note{fill:#a9c3dd}\
    .column{fill:#dfe6ee}.type{fill:#8b98a8}.key{fill:#e2a84b}.reference{fill:#63b892}\
    .link,.end{stroke:#8796a9}.ring{fill:#11161d}
    """
  private static let shapes = """
    text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}\
    .name{font-size:13px;font-weight:700}.strong{font-weight:700}.key,.reference{font-size:9px;font-weight:700}\
    .note{font-size:10px}.link,.end{stroke-width:1.3}.link,path.end{fill:none}.optional{stroke-dasharray:5 3}
    """

  private static func style(_ theme: DiagramTheme) -> String {
    switch theme {
    case .light: shapes + light
    case .dark: shapes + dark
    case .auto: "\(shapes)\(light)@media(prefers-color-scheme:dark){\(dark)}"
    }
  }
}
