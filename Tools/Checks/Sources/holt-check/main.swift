import Foundation
import HoltChecks

exit(CheckCommand(arguments: Array(CommandLine.arguments.dropFirst())).run())
