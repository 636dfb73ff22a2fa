// Generated code imports only `QueryGenPostgreSQL`.
@_exported public import PostgreSQL
@_exported public import QueryGen
