/// A statement of SQL.
public indirect enum Statement: Equatable, Sendable {
  case select(Select)
  case insert(Insert)
  case update(Update)
  case delete(Delete)
  case createTable(CreateTable)
  case createIndex(CreateIndex)
  case createView(CreateView)
  case createTrigger(CreateTrigger)
  case createVirtualTable(CreateVirtualTable)
  case alterTable(AlterTable)
  case drop(Drop)
  case pragma(Pragma)
  case attach(Attach)
  case detach(Detach)
  case analyze(Analyze)
  case reindex(Reindex)
  case vacuum(Vacuum)
  case begin(Begin)
  case commit(Commit)
  case rollback(Rollback)
  case savepoint(Savepoint)
  case release(Release)
  case explain(Explain)

  /// Where it stands, without the `;` after it.
  public var span: ByteSpan {
    switch self {
    case .select(let node): node.span
    case .insert(let node): node.span
    case .update(let node): node.span
    case .delete(let node): node.span
    case .createTable(let node): node.span
    case .createIndex(let node): node.span
    case .createView(let node): node.span
    case .createTrigger(let node): node.span
    case .createVirtualTable(let node): node.span
    case .alterTable(let node): node.span
    case .drop(let node): node.span
    case .pragma(let node): node.span
    case .attach(let node): node.span
    case .detach(let node): node.span
    case .analyze(let node): node.span
    case .reindex(let node): node.span
    case .vacuum(let node): node.span
    case .begin(let node): node.span
    case .commit(let node): node.span
    case .rollback(let node): node.span
    case .savepoint(let node): node.span
    case .release(let node): node.span
    case .explain(let node): node.span
    }
  }
}
