import Apollo
import CHeap
import Foundation
import People

/// Writes one query to one store with a size limit, each time with other arguments, and reads it before and after.
///
/// - Parameter count: How many times.
/// - Returns: False if memory grows: the peak after all of them is more than 1.2 times that after the first hundredth.
func soakCache(count: Int) async throws -> Bool {
  let store = ApolloStore(cache: InMemoryNormalizedCache(sizeLimit: 100_000))
  let response = Array(
    #"{"data":{"search":[{"__typename":"User","id":"1","name":"Ada"},{"__typename":"User","id":"2","name":"Grace"}]}}"#
      .utf8)
  var first = 0, missing = 0
  for index in 1...count {
    let query = SearchQuery(text: "all that a user types, \(index)")
    if (try? await store.load(query)) != nil { print("soak: \(index) was there before it was written") }
    try await store.write(response: ResponseBytes(response), for: query)
    if try await store.load(query).search.count != 2 { missing += 1 }
    if index == count / 100 {
      first = Int(peak_memory_bytes())
      print(String(format: "peak of resident memory after %d: %.1f MB", index, Double(first) / 1e6))
    }
    if index % (count / 10) == 0 { print("\(index) of \(count)") }
  }
  let all = Int(peak_memory_bytes())
  print(
    String(
      format: "peak of resident memory after %d: %.1f MB, %.2f times", count, Double(all) / 1e6,
      Double(all) / Double(first)))
  return missing == 0 && Double(all) <= 1.2 * Double(first)
}
