import Foundation
import StarWarsServer

let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 0
let server = try await StarWarsServer.start(port: port)
// `print` would keep it in a buffer when the output is a pipe.
FileHandle.standardOutput.write(Data("HTTP       \(server.url)\nWebSocket  \(server.webSocketURL)\n".utf8))
while true { try await Task.sleep(for: .seconds(3600)) }
