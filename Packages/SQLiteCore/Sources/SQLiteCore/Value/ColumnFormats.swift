/// A namespace for the formats in which columns store dates, UUIDs and unsigned integers.
///
/// Property wrappers such as ``UnixDate`` and ``UUIDBlob`` name these formats. Generated code uses them as well.
public enum ColumnFormats {}
