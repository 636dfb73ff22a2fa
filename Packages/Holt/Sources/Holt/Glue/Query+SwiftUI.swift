#if canImport(SwiftUI) && canImport(Darwin)
  public import Observe
  public import QueryGen
  public import Router
  public import SwiftUI

  extension Observe.Query {
    /// Creates a query, in a view's environment, of the rows that a router's route reads.
    public init<
      Routes: RouteCollection & Hashable, Element: Decodable & Sendable
    >(
      _ route: Routes,
      in router: any KeyPath<EnvironmentValues, DatabaseRouter<Routes>> & Sendable
    ) where Request == RouterRequest<Routes, [Element]> {
      self.init(RouterRequest(route), in: router)
    }

    /// Creates a query, in a view's environment, of the optional row that a router's route reads.
    public init<
      Routes: RouteCollection & Hashable, Element: Decodable & Sendable
    >(
      _ route: Routes,
      in router: any KeyPath<EnvironmentValues, DatabaseRouter<Routes>> & Sendable
    ) where Request == RouterRequest<Routes, Element?> {
      self.init(RouterRequest(route), in: router)
    }

    /// Creates a query of the result of a generated query without input, in a database from a
    /// view's environment.
    public init<
      DB: GeneratedDatabase, Statement: GeneratedQuery, Context: TopLevelDatabaseReader
    >(
      _ query: any KeyPath<DB, Statement> & Sendable,
      in context: any KeyPath<EnvironmentValues, Context> & Sendable
    )
    where
      Request == QueryRequest<DB, Statement, Statement.Output, Context>, Statement.Input == Void
    {
      self.init(QueryRequest(query), in: context)
    }

    /// Creates a query of a generated query's result, in a database from a view's environment.
    public init<
      DB: GeneratedDatabase, Statement: GeneratedQuery, Context: TopLevelDatabaseReader
    >(
      _ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input,
      in context: any KeyPath<EnvironmentValues, Context> & Sendable
    )
    where
      Request == QueryRequest<DB, Statement, Statement.Output, Context>, Statement.Input: Hashable
    {
      self.init(QueryRequest(query, with: input), in: context)
    }

    /// Creates a query of a generated query without input that always returns one row, in a
    /// database from a view's environment. The last parameter makes the compiler prefer the
    /// overload for any number of rows.
    public init<
      DB: GeneratedDatabase, Statement: GeneratedQuery, Context: TopLevelDatabaseReader
    >(
      _ query: any KeyPath<DB, Statement> & Sendable,
      in context: any KeyPath<EnvironmentValues, Context> & Sendable, _: Void = ()
    )
    where
      Request == QueryRequest<DB, Statement, Statement.Output?, Context>, Statement.Input == Void
    {
      self.init(QueryRequest(query), in: context)
    }

    /// Creates a query of a generated query that always returns one row, in a database from a
    /// view's environment.
    public init<
      DB: GeneratedDatabase, Statement: GeneratedQuery, Context: TopLevelDatabaseReader
    >(
      _ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input,
      in context: any KeyPath<EnvironmentValues, Context> & Sendable, _: Void = ()
    )
    where
      Request == QueryRequest<DB, Statement, Statement.Output?, Context>,
      Statement.Input: Hashable
    {
      self.init(QueryRequest(query, with: input), in: context)
    }
  }
#endif
