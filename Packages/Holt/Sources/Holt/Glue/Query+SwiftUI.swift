#if canImport(SwiftUI) && canImport(Darwin)
  public import Observe
  public import QueryGen
  public import Router
  public import SwiftUI

  extension Observe.Query {
    /// A query, in a view's environment, of the rows that a route of a router reads.
    public init<
      Routes: RouteCollection & Hashable, Element: Decodable & Sendable
    >(
      _ route: Routes,
      in router: any KeyPath<EnvironmentValues, DatabaseRouter<Routes>> & Sendable
    ) where Request == RouterRequest<Routes, [Element]> {
      self.init(RouterRequest(route), in: router)
    }

    /// A query, in a view's environment, of the one row that a route of a router reads, where there is one.
    public init<
      Routes: RouteCollection & Hashable, Element: Decodable & Sendable
    >(
      _ route: Routes,
      in router: any KeyPath<EnvironmentValues, DatabaseRouter<Routes>> & Sendable
    ) where Request == RouterRequest<Routes, Element?> {
      self.init(RouterRequest(route), in: router)
    }

    /// A query of what a generated query without an input gives, in a database of a view's environment.
    public init<
      DB: GeneratedDatabase, Statement: StatementQuery, Context: TopLevelDatabaseReader
    >(
      _ query: any KeyPath<DB, Statement> & Sendable,
      in context: any KeyPath<EnvironmentValues, Context> & Sendable
    )
    where
      Request == QueryRequest<DB, Statement, Statement.Output, Context>, Statement.Input == Void
    {
      self.init(QueryRequest(query), in: context)
    }

    /// A query of what a generated query gives, in a database of a view's environment.
    public init<
      DB: GeneratedDatabase, Statement: StatementQuery, Context: TopLevelDatabaseReader
    >(
      _ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input,
      in context: any KeyPath<EnvironmentValues, Context> & Sendable
    )
    where
      Request == QueryRequest<DB, Statement, Statement.Output, Context>, Statement.Input: Hashable
    {
      self.init(QueryRequest(query, with: input), in: context)
    }

    /// A query of the one row that a generated query without an input always gives, in a database of a view's
    /// environment. The last parameter is for the compiler, which takes the form for any number of rows before this one.
    public init<
      DB: GeneratedDatabase, Statement: StatementQuery, Context: TopLevelDatabaseReader
    >(
      _ query: any KeyPath<DB, Statement> & Sendable,
      in context: any KeyPath<EnvironmentValues, Context> & Sendable, _: Void = ()
    )
    where
      Request == QueryRequest<DB, Statement, Statement.Output?, Context>, Statement.Input == Void
    {
      self.init(QueryRequest(query), in: context)
    }

    /// A query of the one row that a generated query always gives, in a database of a view's environment.
    public init<
      DB: GeneratedDatabase, Statement: StatementQuery, Context: TopLevelDatabaseReader
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
