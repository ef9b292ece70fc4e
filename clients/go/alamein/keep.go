package alamein

import (
	"context"

	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// CreateMap has the service keep a map, and gives its id: the same map always has the same.
func (c *Client) CreateMap(ctx context.Context, it *pb.Map) (string, error) {
	answer, err := c.Maps.CreateMap(ctx, &pb.CreateMapRequest{Map: it})
	return answer.GetMapId(), err
}

// CreatePosition has the service keep a position, and gives its id: the same position always has the
// same. Give it to [OnKept].
func (c *Client) CreatePosition(ctx context.Context, it *pb.Position) (string, error) {
	answer, err := c.Positions.CreatePosition(ctx, &pb.CreatePositionRequest{Position: it})
	return answer.GetPositionId(), err
}

// ApplyChanges makes changes of a position, all of them or none, and has the service keep what comes
// of it. The position that was changed stays as it is.
func (c *Client) ApplyChanges(ctx context.Context, subject *pb.Subject, changes ...*pb.Change) (*pb.ApplyChangesResponse, error) {
	return c.Positions.ApplyChanges(ctx, &pb.ApplyChangesRequest{Subject: subject, Changes: changes})
}
