public import QueryModel

/// What the author chooses about the generated code.
public typealias EmitterOptions = GenerationOptions
