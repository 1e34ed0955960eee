// Where a field leads to that the cache does not have: field policies.

extension __ObjectReader {
  /// The record, or the list of records, that the arguments of field `i` tell; nil if no policy does.
  @inline(never) mutating func redirect(_ i: Int) -> RecordValue? {
    let table = frames.top.table.table
    guard let snapshot = source.snapshot, let (_, name, text) = table.arguments.first(where: { $0.field == i }) else {
      return nil
    }
    let policy = table.policies[i]
    let provider = identity.schema?.configuration as? any FieldPolicy.Provider.Type
    guard policy?.keyArguments.isEmpty == false || provider != nil else { return nil }
    let arguments = FieldPolicy.InputData(
      arguments: CanonicalArguments.values(arguments: text, variables: variables))

    func reference(_ candidates: [String]) -> Int32 {
      if let known = candidates.lazy.compactMap(snapshot.number).first(where: { snapshot[$0] != nil }) { return known }
      // A backend may have any of them. If none has it, a watcher is told when one of the records comes.
      let numbers = candidates.map(snapshot.insert)
      for number in numbers.dropFirst() { source.dependencies.add(number, field: .unresolved) }
      return numbers[0]
    }
    func candidates(_ info: CacheKeyInfo) -> [String]? {
      let groups = info.uniqueKeyGroup.map { [$0] } ?? policy?.types ?? []
      return groups.isEmpty ? nil : groups.map { info.key(typename: $0) }
    }

    if let provider {
      let responseKey = frames.top.fields[i].responseKey
      let field = FieldPolicy.Field(name: name, alias: responseKey == name ? nil : responseKey)
      if let keys = provider.cacheKeyList(for: field, inputData: arguments, path: path()) {
        let all = keys.compactMap(candidates)
        if all.count == keys.count { return .references(all.map(reference)) }
      }
      if let key = provider.cacheKey(for: field, inputData: arguments, path: path()), let all = candidates(key) {
        return .reference(reference(all))
      }
    }
    guard let policy, !policy.types.isEmpty, let (keys, isList) = policy.keys(arguments) else { return nil }
    let numbers = keys.map { key in reference(policy.types.map { $0 + ":" + key }) }
    return isList ? .references(numbers) : .reference(numbers[0])
  }
}
