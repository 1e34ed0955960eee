/// Visits the nodes of a syntax tree: each node before and after the nodes inside of it.
///
/// ```swift
/// struct FieldCounter: SyntaxVisitor {
///   var count = 0
///   mutating func enter(_ node: SyntaxNode) -> VisitStep {
///     if case .field = node { count += 1 }
///     return .intoChildren
///   }
/// }
///
/// var counter = FieldCounter()
/// SyntaxNode.document(document).walk(&counter)
/// ```
public protocol SyntaxVisitor {
  /// Called for each node, before the nodes inside of it.
  ///
  /// - Parameter node: The node.
  /// - Returns: Where the walk continues.
  mutating func enter(_ node: SyntaxNode) -> VisitStep
  /// Called for each node that was not skipped, after the nodes inside of it. The default implementation does nothing.
  ///
  /// - Parameter node: The node.
  /// - Returns: False to end the walk.
  mutating func leave(_ node: SyntaxNode) -> Bool
}

extension SyntaxVisitor {
  /// Does nothing, and continues.
  public mutating func leave(_ node: SyntaxNode) -> Bool { true }
}

/// Where a walk continues after a node.
public enum VisitStep: Sendable, Hashable {
  /// With the nodes inside of it.
  case intoChildren
  /// With the next node outside of it. `leave` is not called for it.
  case skipChildren
  /// Nowhere: the walk ends.
  case stop
}

extension SyntaxNode {
  /// Walks this node and all nodes inside of it, in the order in which they are written. It does not recurse, so deep
  /// trees need no deep stack.
  public func walk(_ visitor: inout some SyntaxVisitor) {
    var pending: [(node: SyntaxNode, isEntered: Bool)] = [(self, false)]
    while let (node, isEntered) = pending.popLast() {
      if isEntered {
        guard visitor.leave(node) else { return }
        continue
      }
      switch visitor.enter(node) {
      case .stop: return
      case .skipChildren: continue
      case .intoChildren:
        pending.append((node, true))
        for child in node.children.reversed() { pending.append((child, false)) }
      }
    }
  }
}
