/// The number that a migration's name begins with: `001_init` is 1, `20240131_users` is large.
///
/// It may have any number of digits, so dates and times of any precision can be one.
struct MigrationNumber: Comparable {
  private let digits: String

  /// `nil` where the name begins with no digit.
  init?(_ name: String) {
    let digits = name.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return nil }
    self.digits = String(digits.drop { $0 == "0" })
  }

  static func < (a: MigrationNumber, b: MigrationNumber) -> Bool {
    a.digits.count != b.digits.count ? a.digits.count < b.digits.count : a.digits < b.digits
  }
}
