import QueryGen

extension Roster {
  /// Creates a roster of two teams and six players.
  static func sample() async throws -> Roster {
    let roster = try Roster()
    try await roster.database.write { connection in
      try connection.run("INSERT INTO team VALUES (7, 'Owls'), (8, 'Bats')")
      try connection.run(
        """
        INSERT INTO player VALUES (1, 7, 'Cy', 30, 2), (2, 7, 'Al', 20, NULL), (3, 7, 'Bo', 10, 9),
          (4, 7, 'Al', 40, 5), (5, 8, 'Di', 50, 1), (6, NULL, 'ed', 60, 3)
        """)
    }
    return roster
  }
}
