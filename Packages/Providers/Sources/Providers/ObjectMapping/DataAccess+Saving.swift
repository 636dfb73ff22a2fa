internal import SQLiteCore

/// Saving and deleting objects.
extension DataAccess {
  /// Saves an object: inserts its row, or updates the one with its key.
  ///
  /// Missing tables are created. Objects that it refers to are saved too: the values of properties
  /// that are ``DataTable``s, and the elements of each ``CrossReference``, whose links are updated
  /// if they differ. An instance of a class that is referenced several times is saved once, even in
  /// a cycle. Several values with one key must be equal, because a changed copy and an unchanged
  /// one can't be distinguished. Everything is saved in one transaction, which is rolled back on
  /// failure.
  ///
  /// ```swift
  /// let key = try provider.save(category)
  /// ```
  ///
  /// - Returns: The key of the inserted or updated row.
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/missingKey`` if the key is not set
  ///   and not generated, ``ProviderError/Code/limitExceeded`` if there is no larger key,
  ///   ``ProviderError/Code/conflictingCopies`` if two values with one key differ, or
  ///   ``ProviderError/Code/schemaMismatch`` if the table lacks a column, or an instance belongs to
  ///   a subclass of the declared type, whose table has no columns for the subclass's properties;
  ///   `SQLiteError` if a value can't be stored, or the row violates a constraint; any error that
  ///   the type throws.
  @discardableResult
  public func save<Table: DataTable>(_ object: Table) throws -> Record.Key {
    try save([object])[0]
  }

  /// Saves an object, and sets its key if the key was generated, so that saving the object again
  /// updates the same row.
  ///
  /// ```swift
  /// var category = Category()
  /// try provider.save(&category)  // inserts a row
  /// category.name = "Tools"
  /// try provider.save(&category)  // updates it
  /// ```
  ///
  /// If the key was generated, the object is decoded again from its properties, with the new key: an
  /// instance of a class is replaced by another one. Conform to ``KeyedDataTable`` to set the key in
  /// place.
  ///
  /// - Throws: The same errors as ``save(_:)-(Table)`` of any object. The object is then unchanged.
  @discardableResult
  public func save<Table: DataTable>(_ object: inout Table) throws -> Record.Key {
    var objects = [object]
    let keys: [Record.Key] = try save(&objects)
    object = objects[0]
    return keys[0]
  }

  /// Saves objects in one transaction, and sets the keys that were generated.
  ///
  /// - Throws: The same errors as `save(_:)` of one object. The objects are then unchanged.
  @discardableResult
  public func save<Table: DataTable>(_ objects: inout [Table]) throws -> [Record.Key] {
    let values = objects
    let (saved, copies) = try write { connection in
      let store = ObjectStore(connection)
      let saved = try store.save(values)
      return (saved, try zip(values, saved.keys).map { try store.saved($0, as: $1) })
    }
    saved.keyed?.writeBack(saved.typed, undoLog: enclosingUndoLog)
    objects = copies
    return saved.keys
  }

  /// Saves an object, and returns its key with its static type.
  ///
  /// If the object is an instance of a class, the key is written back into it.
  ///
  /// - Throws: The same errors as ``save(_:)-(Table)`` of any object.
  @discardableResult
  public func save<Table: KeyedDataTable>(_ object: Table) throws -> Table.Key {
    let (saved, key) = try write { connection in
      let store = ObjectStore(connection)
      let saved = try store.save([object])
      return (saved, try store.typedKey(saved.keys[0], of: Table.self))
    }
    saved.keyed?.writeBack(saved.typed, undoLog: enclosingUndoLog)
    return key
  }

  /// Saves an object, and writes its key back into it.
  ///
  /// Values in it that are rows of other tables are not changed. If their keys are generated when
  /// they are saved, read the object again before saving it again; otherwise they are inserted as
  /// new rows. Instances of classes have their keys.
  ///
  /// - Throws: The same errors as ``save(_:)-(Table)`` of any object. The object is then unchanged.
  @discardableResult
  public func save<Table: KeyedDataTable>(_ object: inout Table) throws -> Table.Key {
    let value = object
    let key: Table.Key = try save(value)
    object.primaryKeyValue = key
    return key
  }

  /// Saves objects in one transaction: all of them, or none.
  ///
  /// The effect is the same as saving them one after another: of two objects with one key, the last
  /// is stored. An instance that occurs twice is one row.
  ///
  /// - Returns: The keys of the rows, in the order of the objects.
  /// - Throws: The same errors as `save(_:)` of one object.
  @discardableResult
  public func save<Table: DataTable>(_ objects: [Table]) throws -> [Record.Key] {
    let saved = try write { try ObjectStore($0).save(objects) }
    saved.keyed?.writeBack(saved.typed, undoLog: enclosingUndoLog)
    return saved.keys
  }

  /// Saves objects in one transaction, and writes their keys back into them.
  ///
  /// - Throws: The same errors as `save(_:)` of one object. The objects are then unchanged.
  public func save<Table: KeyedDataTable>(_ objects: inout [Table]) throws {
    let values = objects
    let (saved, keys) = try write { connection in
      let store = ObjectStore(connection)
      let saved = try store.save(values)
      return (saved, try saved.keys.map { try store.typedKey($0, of: Table.self) })
    }
    saved.keyed?.writeBack(saved.typed, undoLog: enclosingUndoLog)
    for (index, key) in keys.enumerated() { objects[index].primaryKeyValue = key }
  }

  /// Deletes the row of an object, and its links.
  ///
  /// Rows that it refers to are kept, because other rows can refer to them: delete them separately.
  /// A row that others refer to can't be deleted; links do not count, because they are deleted too.
  ///
  /// - Returns: Whether the row existed.
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/missingKey`` if the key is not set,
  ///   or ``ProviderError/Code/unknownTable`` if the table does not exist; `SQLiteError` with code
  ///   `constraintForeignKey` if another row refers to this one.
  @discardableResult
  public func delete<Table: DataTable>(_ object: Table) throws -> Bool {
    try delete([object]) > 0
  }

  /// Deletes the rows of objects in one transaction: all of them, or none.
  ///
  /// - Returns: The number of deleted rows.
  /// - Throws: The same errors as ``delete(_:)-(Table)`` of one object.
  @discardableResult
  public func delete<Table: DataTable>(_ objects: [Table]) throws -> Int {
    let mapping = try TableMapping.of(Table.self)
    let keys = try objects.map { try mapping.key(of: $0) }
    return try write { try ObjectStore($0).delete(keys, mapping) }
  }

  /// The undo log of the enclosing transaction; `nil` outside a transaction.
  private var enclosingUndoLog: KeyUndoLog? { (self as? DataTransaction)?.undoLog }
}
