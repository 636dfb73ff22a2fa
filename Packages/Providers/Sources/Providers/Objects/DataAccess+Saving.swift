internal import SQLiteCore

/// Saving and deleting objects.
extension DataAccess {
  /// Saves an object: inserts its row, or updates the one with its key.
  ///
  /// Tables that are missing are made. Objects that it refers to are saved with it: those of properties that are
  /// ``DataTable``s, and the elements of each ``CrossReference``, whose links are changed where they differ. An instance of a
  /// class that is referred to several times is saved once, also where it leads back to itself; so are values with
  /// one key, which must be equal: a changed one and one that is as it was are never guessed about. All of it is
  /// one transaction: whatever fails, nothing is changed.
  ///
  /// ```swift
  /// let key = try provider.save(category)
  /// ```
  ///
  /// - Returns: The key of the row, whether it was inserted or updated.
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/missingKey`` where the key is not set and
  ///   nobody makes one, ``ProviderError/Code/limitExceeded`` where no larger one is left,
  ///   ``ProviderError/Code/conflictingCopies`` where two values of one key differ,
  ///   ``ProviderError/Code/schemaMismatch`` where the table lacks a column, or an instance is of a subclass of
  ///   the type that is declared, in whose table it would lose what it adds; `SQLiteError` where a
  ///   value can't be stored, or a constraint forbids the row; what the type throws.
  @discardableResult
  public func save<Table: DataTable>(_ object: Table) throws -> Record.Key {
    try save([object])[0]
  }

  /// Saves an object, and gives its key as the type that it has.
  ///
  /// An instance of a class has its key written back.
  ///
  /// - Throws: As ``save(_:)-(Table)`` of any object.
  @discardableResult
  public func save<Table: KeyedDataTable>(_ object: Table) throws -> Table.Key {
    let (saved, key) = try write { connection in
      let store = ObjectStore(connection)
      let saved = try store.save([object])
      return (saved, try store.typedKey(saved.keys[0], of: Table.self))
    }
    saved.adopt(by: self)
    return key
  }

  /// Saves an object, and writes its key back into it.
  ///
  /// Values in it that are rows of other tables stay as they are: where their keys are made as they are saved, read the
  /// object again before it is saved again, or they are new rows again. Instances of classes have theirs.
  ///
  /// - Throws: As ``save(_:)-(Table)`` of any object. The object is as it was then.
  @discardableResult
  public func save<Table: KeyedDataTable>(_ object: inout Table) throws -> Table.Key {
    let value = object
    let key: Table.Key = try save(value)
    object.primaryKeyValue = key
    return key
  }

  /// Saves objects in one transaction: all of them, or none.
  ///
  /// It is as if they were saved one after another: of two that have one key, the last counts. An instance that is
  /// there twice is one row.
  ///
  /// - Returns: The keys of the rows, in the order of the objects.
  /// - Throws: As `save(_:)` of one.
  @discardableResult
  public func save<Table: DataTable>(_ objects: [Table]) throws -> [Record.Key] {
    let saved = try write { try ObjectStore($0).save(objects) }
    saved.adopt(by: self)
    return saved.keys
  }

  /// Saves objects in one transaction, and writes their keys back into them.
  ///
  /// - Throws: As `save(_:)` of one. The objects are as they were then.
  public func save<Table: KeyedDataTable>(_ objects: inout [Table]) throws {
    let values = objects
    let (saved, keys) = try write { connection in
      let store = ObjectStore(connection)
      let saved = try store.save(values)
      return (saved, try saved.keys.map { try store.typedKey($0, of: Table.self) })
    }
    saved.adopt(by: self)
    for (place, key) in keys.enumerated() { objects[place].primaryKeyValue = key }
  }

  /// Deletes the row of an object, with the links that it has.
  ///
  /// Rows that it refers to stay, for others may refer to them too, or they may be wanted for themselves: delete
  /// them likewise. A row that others refer to can't be deleted, but by links, which go with it.
  ///
  /// - Returns: Whether there was such a row.
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/missingKey`` where the key is not set,
  ///   ``ProviderError/Code/unknownTable`` where there is no table; `SQLiteError` with code
  ///   `constraintForeignKey` where another row refers to this one.
  @discardableResult
  public func delete<Table: DataTable>(_ object: Table) throws -> Bool {
    try delete([object]) > 0
  }

  /// Deletes the rows of objects in one transaction: all of them, or none.
  ///
  /// - Returns: How many of them there were.
  /// - Throws: As ``delete(_:)-(Table)`` of one.
  @discardableResult
  public func delete<Table: DataTable>(_ objects: [Table]) throws -> Int {
    let plan = try TablePlan.of(Table.self)
    let keys = try objects.map { try plan.key(of: $0) }
    return try write { try ObjectStore($0).delete(keys, plan) }
  }
}
