public import SQLiteCore

// The names that Action Data uses for these types, so that code written for it compiles.

/// ``DataProvider``
public typealias ADDataProvider = DataProvider
/// ``SQLiteProvider``
public typealias ADSQLiteProvider = SQLiteProvider
/// ``SQLiteProvider``
public typealias ADSQLProvider = SQLiteProvider
/// ``SPONProvider``
public typealias ADSPONProvider = SPONProvider
/// ``JSONProvider``
public typealias ADJSONProvider = JSONProvider
/// ``XMLProvider``
public typealias ADXMLProvider = XMLProvider
/// ``CSVProvider``
public typealias ADCSVProvider = CSVProvider
/// ``ProviderError``
public typealias ADDataProviderError = ProviderError

/// ``Record``
public typealias ADRecord = Record
/// ``RecordSet``
public typealias ADRecordSet = RecordSet
/// `TableSchema`
public typealias ADTableSchema = TableSchema
/// `TableSchema.Column`
public typealias ADColumnSchema = TableSchema.Column

/// ``DataTable``
public typealias ADDataTable = DataTable
/// ``DataTableKeyType``
public typealias ADDataTableKeyType = DataTableKeyType
/// ``CrossReference``
public typealias ADCrossReference = CrossReference
