// Generated code imports only `QueryGen`.
@_exported public import Observe
@_exported public import SQLiteCore
