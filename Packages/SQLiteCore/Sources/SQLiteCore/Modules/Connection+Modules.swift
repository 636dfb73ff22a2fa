extension Connection {
  /// Registers a module of virtual tables that is implemented in Swift: see ``VirtualTable``.
  ///
  /// The connections of a ``Database`` each need the module. Register it in ``Configuration/prepare``, which runs for
  /// each connection as it is opened:
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.prepare = { connection in
  ///   try connection.register(module: Countdown(), as: "countdown")
  /// }
  /// ```
  ///
  /// A module of the same name is replaced, and each ``Statement`` is compiled anew when it runs next. A table that
  /// `CREATE VIRTUAL TABLE` made, and that is connected already, keeps its module until the connection is closed or the
  /// table is dropped.
  ///
  /// - Parameters:
  ///   - module: The module. The connection keeps it, see ``VirtualTable/Module``.
  ///   - name: The module's name, which SQL may write in either case.
  ///   - options: Whether the schema may use the module's tables: ``Connection/FunctionOptions/innocuous`` and
  ///     ``Connection/FunctionOptions/directOnly`` have the meaning that they have for functions. Without the former, triggers
  ///     and views can use the tables only if the configuration trusts the schema. ``Connection/FunctionOptions/deterministic``
  ///     has no effect.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/busy`` while a statement runs, with
  ///   ``SQLiteError/Code/misuse`` if the name contains NUL or is the one of this package's own module.
  public func register<Module: VirtualTable.Module>(
    module: Module, as name: String, options: FunctionOptions = []
  ) throws(SQLiteError) {
    try handle.createModule(module, name, options: options)
    // Compiled statements keep the module that was replaced.
    cache.removeAll()
  }

  /// Removes a module. A module that does not exist is not an error.
  ///
  /// Tables that `CREATE VIRTUAL TABLE` made, and that are connected already, keep the module.
  ///
  /// - Throws: As ``register(module:as:options:)``.
  public func unregister(module name: String) throws(SQLiteError) {
    try handle.deleteModule(name)
    cache.removeAll()
  }
}
