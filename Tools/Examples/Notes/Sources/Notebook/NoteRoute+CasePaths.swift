import Foundation
import Router

/// The expansion of HoltMacros' `@CasePathable`, written by hand so that the app does not depend on
/// swift-syntax.
extension NoteRoute: CasePathable {
  struct AllCasePaths: Sendable {
    var add: CasePath<NoteRoute, NewNote> {
      CasePath("add", embed: { .add($0) }) { if case .add(let note) = $0 { note } else { nil } }
    }
    var change: CasePath<NoteRoute, (id: Int, to: NoteChange)> {
      CasePath("change", embed: { .change(id: $0.id, to: $0.to) }) {
        if case .change(let id, let change) = $0 { (id, change) } else { nil }
      }
    }
    var delete: CasePath<NoteRoute, (id: Int, at: Date)> {
      CasePath("delete", embed: { .delete(id: $0.id, at: $0.at) }) {
        if case .delete(let id, let date) = $0 { (id, date) } else { nil }
      }
    }
    var undelete: CasePath<NoteRoute, Int> {
      CasePath("undelete", embed: { .undelete(id: $0) }) {
        if case .undelete(let id) = $0 { id } else { nil }
      }
    }
    var purge: CasePath<NoteRoute, Date> {
      CasePath("purge", embed: { .purge(deletedBefore: $0) }) {
        if case .purge(let date) = $0 { date } else { nil }
      }
    }
    var makeTags: CasePath<NoteRoute, [String]> {
      CasePath("makeTags", embed: { .makeTags($0) }) {
        if case .makeTags(let names) = $0 { names } else { nil }
      }
    }
    var tagNewest: CasePath<NoteRoute, [String]> {
      CasePath("tagNewest", embed: { .tagNewest($0) }) {
        if case .tagNewest(let names) = $0 { names } else { nil }
      }
    }
    var tag: CasePath<NoteRoute, (id: Int, with: [String])> {
      CasePath("tag", embed: { .tag(id: $0.id, with: $0.with) }) {
        if case .tag(let id, let names) = $0 { (id, names) } else { nil }
      }
    }
    var untag: CasePath<NoteRoute, (id: Int, from: [String])> {
      CasePath("untag", embed: { .untag(id: $0.id, from: $0.from) }) {
        if case .untag(let id, let names) = $0 { (id, names) } else { nil }
      }
    }
  }

  static var allCasePaths: AllCasePaths { AllCasePaths() }

  var currentCase: CurrentCase {
    switch self {
    case .add(let note): CurrentCase("add", note)
    case .change(let id, let change): CurrentCase("change", (id: id, to: change))
    case .delete(let id, let date): CurrentCase("delete", (id: id, at: date))
    case .undelete(let id): CurrentCase("undelete", id)
    case .purge(let date): CurrentCase("purge", date)
    case .makeTags(let names): CurrentCase("makeTags", names)
    case .tagNewest(let names): CurrentCase("tagNewest", names)
    case .tag(let id, let names): CurrentCase("tag", (id: id, with: names))
    case .untag(let id, let names): CurrentCase("untag", (id: id, from: names))
    }
  }
}
