import Foundation
import Testing

@testable import HoltChecks

@Suite struct `The tutorial check` {
  static let page = """
    # A tutorial

    ```sh
    rm -rf anything
    ```

    ```swift
    // swift-tools-version: 6.2
    let holt = \(TutorialCheck.requirement)
    ```

    ```sql
    -- Sources/app/1.sql
    SELECT 1;
    ```

    ```swift
    let shown = "in no file"
    ```

    ```console
    $ cat Sources/app/1.sql; echo there
    SELECT 1;
    there
    $ tail -n 1 Package.swift
    let holt = here
    ```
    """

  private func follow(_ text: String) throws -> [Finding] {
    let tree = try TemporaryTree(["holt/a": ""])
    return try TutorialCheck.follow(
      TutorialCheck.steps(of: text), in: tree.repository.url("app"), requiring: "here")
  }

  @Test func `writes the page's files and runs its commands, in order`() throws {
    #expect(
      TutorialCheck.steps(of: Self.page).map(\.line) == [7, 12, 22, 25])
    #expect(try follow(Self.page) == [])
  }

  @Test(arguments: [
    ("there\n$", "where\n$", 22), ("here\n```", "gone\n```", 25), ("; echo there", "; false", 22),
  ])
  func `rejects output that differs from the page`(
    _ shown: String, _ other: String, _ line: Int
  ) throws {
    let findings = try follow(Self.page.replacing(shown, with: other))
    #expect(findings.map(\.line) == [line])
    #expect(findings.first?.path == TutorialCheck.page)
  }

  @Test func `throws an error without the page`() throws {
    let none = try TemporaryTree([:])
    #expect(throws: CheckError.self) { try TutorialCheck().findings(in: none.repository) }
  }
}
