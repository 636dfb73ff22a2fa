import Primitives
import Testing

@Suite struct `A civil date` {
  @Test func `is converted to its day number and back, for every day of the years 0 to 9999`() {
    var day = Int(CivilDate.seconds.lowerBound) / CivilDate.secondsPerDay
    for year in 0...9_999 {
      for month in 1...12 {
        let last = CivilDate.dayCount(ofMonth: month, year: year)
        // An error in a month would show at its ends.
        for date in [1, 2, last - 1, last] {
          let expected = day + date - 1
          guard CivilDate.day(year: year, month: month, day: date) == expected,
            CivilDate.date(ofDay: expected) == (year, month, date)
          else {
            Issue.record("\(year)-\(month)-\(date) is not day \(expected)")
            return
          }
        }
        day += last
      }
    }
    #expect(day == Int(CivilDate.seconds.upperBound) / CivilDate.secondsPerDay)
  }

  @Test func `counts days since 1970`() {
    #expect(CivilDate.day(year: 1970, month: 1, day: 1) == 0)
    #expect(CivilDate.day(year: 1969, month: 12, day: 31) == -1)
    #expect(CivilDate.day(year: 2001, month: 1, day: 1) == 11_323)
  }

  @Test(arguments: [
    (2023, 2, 29), (1900, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1),
    (2024, 1, 0), (2024, 1, 32), (2024, 1, -1),
  ])
  func `is nil beyond the end of its month`(year: Int, month: Int, day: Int) {
    #expect(CivilDate.day(year: year, month: month, day: day) == nil)
  }

  @Test func `has a leap day every four years, but not every hundred`() {
    let days = [2024, 2000, 2023, 1900].map { CivilDate.dayCount(ofMonth: 2, year: $0) }
    #expect(days == [29, 29, 28, 28])
  }
}
