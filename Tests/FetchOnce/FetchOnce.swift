// Fetches a query from the server whose address is its argument, and says what came of it. What Foundation on Linux cannot
// read stops this process, and not that of the tests. With --memory it also says how much memory it has taken (Linux).

import Apollo
import Foundation

struct PingQuery: GraphQLQuery {
  static let operationName = "Ping"
  static let operationDocument = OperationDocument("query Ping { ping }")

  struct Data: SelectionSet, Hashable {
    var ping: String
    static let __fields = __FieldTable(version: 1, "ping")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { ping = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, ping) }
  }
}

@main
enum FetchOnce {
  static func main() async {
    guard let argument = CommandLine.arguments.dropFirst().first, let url = URL(string: argument) else {
      print("usage: fetch-once ADDRESS [--memory]")
      exit(2)
    }
    do {
      let result = try await ApolloClient(url: url).fetch(query: PingQuery())
      print("data: \(result.data?.ping ?? "none")")
    } catch {
      print("error: \(error)")
    }
    guard CommandLine.arguments.contains("--memory"),
      let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    else { return }
    for line in status.split(separator: "\n") where line.hasPrefix("VmHWM") || line.hasPrefix("VmPeak") { print(line) }
  }
}
