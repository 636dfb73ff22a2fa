/// The syntax that a parser expects at a position, with its description for messages.
enum Expectation {
  case token(TokenKind)
  case eitherToken(TokenKind, TokenKind)
  case statement
  case endOfStatement
  case triggerStatement
  case expression
  case select
  case name
  case resultColumn
  case tableSource
  case typeArgument
  case defaultValue
  case columnConstraint
  case tableConstraint
  case conflictResolution
  case foreignKeyEffect
  case foreignKeyEvent
  case frameBound
  case frameExclusion
  case createdObject
  case droppedObject
  case alteration
  case joinWord
  case pragmaValue
  case raiseAction
  case triggerEvent
  case conflictTarget
  case listOrTable
  case afterNot
  case endOfText
  case insertSource

  /// The description, which follows the word "expected" in a message.
  var words: String {
    switch self {
    case .token(let kind): "\"\(kind.spelling ?? "\(kind)")\""
    case .eitherToken(let first, let second):
      "\"\(first.spelling ?? "\(first)")\" or \"\(second.spelling ?? "\(second)")\""
    case .statement: "a statement"
    case .endOfStatement: "\";\" or the end of the statement"
    case .triggerStatement: "\"SELECT\", \"INSERT\", \"UPDATE\", \"DELETE\" or \"END\""
    case .expression: "an expression"
    case .select: "\"SELECT\", \"VALUES\" or \"WITH\""
    case .name: "a name"
    case .resultColumn: "a result column"
    case .tableSource: "a table, a table-valued function or a subquery"
    case .typeArgument: "a number"
    case .defaultValue: "a literal, a name or an expression in parentheses"
    case .columnConstraint: "\",\", \")\" or a column constraint"
    case .tableConstraint: "\",\", \")\" or a table constraint"
    case .conflictResolution:
      "\"ROLLBACK\", \"ABORT\", \"FAIL\", \"IGNORE\" or \"REPLACE\""
    case .foreignKeyEffect:
      "\"SET NULL\", \"SET DEFAULT\", \"CASCADE\", \"RESTRICT\" or \"NO ACTION\""
    case .foreignKeyEvent: "\"DELETE\" or \"UPDATE\""
    case .frameBound: "\"PRECEDING\" or \"FOLLOWING\""
    case .frameExclusion: "\"NO OTHERS\", \"CURRENT ROW\", \"GROUP\" or \"TIES\""
    case .createdObject: "\"TABLE\", \"INDEX\", \"VIEW\", \"TRIGGER\" or \"VIRTUAL TABLE\""
    case .droppedObject: "\"TABLE\", \"INDEX\", \"VIEW\" or \"TRIGGER\""
    case .alteration: "\"RENAME\", \"ADD\", \"DROP\" or \"ALTER\""
    case .joinWord: "\"JOIN\""
    case .pragmaValue: "a name, a string or a number"
    case .raiseAction: "\"IGNORE\", \"ROLLBACK\", \"ABORT\" or \"FAIL\""
    case .triggerEvent: "\"DELETE\", \"INSERT\" or \"UPDATE\""
    case .conflictTarget: "\"(\" or \"DO\""
    case .listOrTable: "a list in parentheses, a subquery or a table"
    case .endOfText: "the end of the text after one statement"
    case .afterNot: "\"LIKE\", \"GLOB\", \"REGEXP\", \"MATCH\", \"BETWEEN\", \"IN\" or \"NULL\""
    case .insertSource: "\"VALUES\", \"SELECT\" or \"DEFAULT VALUES\""
    }
  }
}
