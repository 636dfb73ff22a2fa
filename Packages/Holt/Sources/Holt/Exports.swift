// `import Holt` is enough for all that runs.
@_exported public import Observe
@_exported public import Providers
@_exported public import QueryGen
@_exported public import Relations
@_exported public import Router
@_exported public import SPON
@_exported public import SQLiteCore

/// A property whose value is read from a database, and stays up to date.
///
/// `Query` is a name of two packages. Who imports both gets this one by it, and the other by ``DatabaseQuery``, or
/// by its whole name, `QueryGen.Query`.
///
/// ```swift
/// @Query(PlayersRequest(), in: \.playerRepository) var players: [Player]
/// ```
public typealias Query = Observe.Query

/// Something to be asked, whoever answers it: a database, or a stand-in without one.
///
/// ```swift
/// let fetchName: any DatabaseQuery<Int, String> = Queries.Just("Ada")
/// ```
public typealias DatabaseQuery = QueryGen.Query
