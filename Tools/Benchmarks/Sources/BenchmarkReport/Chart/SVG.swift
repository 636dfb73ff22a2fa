internal import Primitives

/// Builds SVG text from shapes.
struct SVG {
  private(set) var body = ""

  mutating func rectangle(
    x: Double, y: Double, width: Double, height: Double, style: String
  ) {
    body += "  <rect class=\"\(style)\" x=\"\(x.coordinate)\" y=\"\(y.coordinate)\""
    body += " width=\"\(width.coordinate)\" height=\"\(height.coordinate)\"/>\n"
  }

  mutating func line(x1: Double, y1: Double, x2: Double, y2: Double, style: String) {
    body += "  <line class=\"\(style)\" x1=\"\(x1.coordinate)\" y1=\"\(y1.coordinate)\""
    body += " x2=\"\(x2.coordinate)\" y2=\"\(y2.coordinate)\"/>\n"
  }

  /// - Parameter style: The CSS classes, which set the size, color and alignment.
  mutating func text(_ text: String, x: Double, y: Double, style: String) {
    body += "  <text class=\"\(style)\" x=\"\(x.coordinate)\" y=\"\(y.coordinate)\">"
    body += text.escapedForXML + "</text>\n"
  }

  func document(width: Double, height: Double, title: String, css: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.coordinate) \(height.coordinate)" \
    width="\(width.coordinate)" height="\(height.coordinate)" role="img">
      <title>\(title.escapedForXML)</title>
      <style>
    \(css)
      </style>
    \(body)</svg>

    """
  }
}

extension Double {
  /// The number as a coordinate with one decimal.
  fileprivate var coordinate: String {
    let text = decimals(1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
