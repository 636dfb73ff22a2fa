// `import Holt` makes all runtime packages available.
@_exported public import Observe
@_exported public import Providers
@_exported public import QueryGen
@_exported public import Relations
@_exported public import Router
@_exported public import SPON
@_exported public import SQLiteCore

/// A property whose value is read from a database, and stays up to date.
///
/// Two packages define a type named `Query`. In a file that imports both, this alias selects
/// Observe's; the other is available as ``DatabaseQuery`` or by its qualified name,
/// `QueryGen.Query`.
///
/// ```swift
/// @Query(PlayersRequest(), in: \.playerRepository) var players: [Player]
/// ```
public typealias Query = Observe.Query

/// A query, executed by a database or by a stand-in without one.
///
/// ```swift
/// let fetchName: any DatabaseQuery<Int, String> = Queries.Just("Ada")
/// ```
public typealias DatabaseQuery = QueryGen.Query
