/// Looks at the nodes of a syntax tree on the way in and on the way out.
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
  /// Comes to a node, before those inside of it.
  mutating func enter(_ node: SyntaxNode) -> VisitStep
  /// Leaves a node that was not skipped. False ends the walk. Does nothing unless implemented.
  mutating func leave(_ node: SyntaxNode) -> Bool
}

extension SyntaxVisitor {
  public mutating func leave(_ node: SyntaxNode) -> Bool { true }
}

/// Where a walk goes from a node.
public enum VisitStep: Sendable, Hashable {
  case intoChildren
  /// On to the next node outside of this one, which is not left either.
  case skipChildren
  /// The walk ends: nothing more is entered or left.
  case stop
}

extension SyntaxNode {
  /// Walks this node and everything inside of it, in the order in which it is written. Deep trees need no deep stack.
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
