// Generated code says nothing but `import QueryGen`.
@_exported public import Observe
@_exported public import SQLiteCore
