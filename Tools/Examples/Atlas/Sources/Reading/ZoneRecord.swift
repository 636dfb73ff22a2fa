import Foundation

/// A line of `zone1970.tab`.
struct ZoneRecord: Equatable {
  /// The countries that use the zone, starting with the country of its principal city.
  let countries: [String]
  /// The latitude in degrees; north is positive.
  let latitude: Double
  /// The longitude in degrees; east is positive.
  let longitude: Double
  let name: String
  let comment: String?
}

extension ZoneRecord {
  /// Reads all zones from the file.
  ///
  /// - Throws: ``AtlasError`` if the file is missing, or with the number of an invalid line.
  static func read(from folders: DataFolders) throws(AtlasError) -> [ZoneRecord] {
    let text = String(decoding: try folders.bytes(of: .zones), as: UTF8.self)
    var zones: [ZoneRecord] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty && !line.hasPrefix("#") {
      guard let zone = ZoneRecord(line: line) else {
        throw .unreadable(
          path: folders.path(of: .zones), line: index + 1,
          reason: "expected countries, coordinates and a name, separated by tabs")
      }
      zones.append(zone)
    }
    return zones
  }

  /// Parses `countries⇥±DDMM±DDDMM⇥name[⇥comment]`.
  init?(line: Substring) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count >= 3, !fields[2].isEmpty else { return nil }
    countries = fields[0].split(separator: ",").map(String.init)
    guard !countries.isEmpty,
      let second = fields[1].dropFirst().firstIndex(where: { "+-".contains($0) }),
      let latitude = Self.degrees(fields[1][..<second], digits: 2),
      let longitude = Self.degrees(fields[1][second...], digits: 3)
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    name = String(fields[2])
    comment = fields.count > 3 ? String(fields[3]) : nil
  }

  /// Parses an ISO 6709 coordinate: a sign, `digits` digits of degrees, two of minutes, and
  /// optionally two of seconds.
  static func degrees(_ text: Substring, digits: Int) -> Double? {
    guard let sign = text.first, "+-".contains(sign) else { return nil }
    let number = text.dropFirst()
    guard number.allSatisfy({ $0.isASCII && $0.isNumber }),
      number.count == digits + 2 || number.count == digits + 4,
      let degrees = Double(number.prefix(digits)),
      let minutes = Double(number.dropFirst(digits).prefix(2))
    else { return nil }
    let seconds = Double(number.dropFirst(digits + 2)) ?? 0
    return (degrees + minutes / 60 + seconds / 3600) * (sign == "-" ? -1 : 1)
  }
}
