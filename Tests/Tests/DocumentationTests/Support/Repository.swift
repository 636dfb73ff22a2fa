import Foundation

/// The folder of the repository that the tests were compiled from.
var repository: URL { URL(filePath: #filePath).appending(path: "../../../../..").standardized }
