// A file of an app, which imports a generated module and Combine.

import Combine
import Names

final class Request: Cancellable {
  func cancel() {}
}

func publishers(episode: GraphQLNullable<String>) -> (some Publisher, some Publisher) {
  let record = Record<Int, Never>(output: [1, 2])
  return (record, Deferred { Just(episode) })
}
