/// Models of which columns alone are written, and their rows: in one shape for all types.
struct PlainSaves {
  // They are held until they are saved.
  private var models: [any Model] = []
  private(set) var identities: [Identity] = []
  private(set) var rows: [any Table] = []
  /// The places of the columns that are written of each.
  private(set) var written: [[Int]] = []

  mutating func append(
    _ model: any Model, _ identity: Identity, _ row: any Table, _ written: [Int]
  ) {
    // Most are written alike, and share the list.
    self.written.append(self.written.last == written ? self.written.last ?? [] : written)
    models.append(model)
    identities.append(identity)
    rows.append(row)
  }
}
