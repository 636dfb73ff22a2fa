/// Models of which columns alone are written, and their rows: in one shape for all types.
struct PlainSaves {
  // They are held until they are saved.
  private var models: [any Model] = []
  private(set) var identities: [Identity] = []
  private(set) var rows: [any Table] = []

  mutating func append(_ model: any Model, _ identity: Identity, _ row: any Table) {
    models.append(model)
    identities.append(identity)
    rows.append(row)
  }
}
