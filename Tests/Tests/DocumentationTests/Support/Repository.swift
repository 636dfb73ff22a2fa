import Foundation

/// The root folder of the repository from which the tests were compiled.
var repository: URL { URL(filePath: #filePath).appending(path: "../../../../..").standardized }
