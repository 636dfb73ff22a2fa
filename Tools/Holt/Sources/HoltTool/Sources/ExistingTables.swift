import ArgumentParser

/// The values of `--existing`.
enum ExistingTables: String, CaseIterable, ExpressibleByArgument { case refuse, append, replace }
